"""Search evaluation in which every number says how sure you can be."""
from karat._karat import __version__

__all__ = ["__version__"]
