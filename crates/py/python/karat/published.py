"""What can be said from RBP scores printed in papers with different p?"""

from karat._commands import published_compare as compare
from karat._commands import published_depth as depth
from karat._commands import published_range as range
from karat._commands import published_study as study
from karat._commands import published_vectors as vectors

__all__ = ["compare", "depth", "range", "study", "vectors"]
