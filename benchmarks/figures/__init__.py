"""The papers' figures on our data, one script each: `python -m benchmarks.figures.NAME`."""
