"""The shapes there are, by name: what `release.json` names, and whom foreign frames are shown to."""

from __future__ import annotations

from tacit.shapes.base import Shape


def shape_classes() -> dict[str, type[Shape]]:
    """Return every shape that is listed in `tacit.shapes.__all__` and has a name."""
    from tacit import shapes

    listed = [getattr(shapes, name) for name in shapes.__all__]
    shape_types = [each for each in listed if isinstance(each, type) and issubclass(each, Shape)]
    return {shape.name: shape for shape in shape_types if hasattr(shape, "name")}  # those without a name are bases
