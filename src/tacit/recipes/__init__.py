"""Recipes: a TOML file with all of a job.

Replayable, and without data or secrets: a database's URL comes from an environment variable. Paths are relative to the
recipe. Parameters of methods and guarantees are checked by their own declarations, the same that the library uses.
"""

from tacit.recipes.recipe import Recipe, RecipeError
from tacit.recipes.schema import schema

__all__ = ["Recipe", "RecipeError", "schema"]
