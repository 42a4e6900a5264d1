"""How wrong are the judges, and what would gold judges have said?"""

from karat._commands import judges_agree as agree
from karat._commands import judges_calibrate as calibrate
from karat._commands import judges_compare as compare
from karat._commands import judges_correct as correct
from karat._commands import judges_merge as merge

__all__ = ["agree", "calibrate", "compare", "correct", "merge"]
