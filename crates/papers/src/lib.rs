//! What five papers claim about search evaluation, and what comes out.
