"""Worlds with a known truth: what can rankings hide, what do judges' errors do?"""

from karat._commands import simulate_judges as judges
from karat._commands import simulate_ranking as ranking

__all__ = ["judges", "ranking"]
