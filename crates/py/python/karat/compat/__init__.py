"""Drop-ins: modules that stand in for another tool's, with its names, its defaults and its shapes of answers."""
