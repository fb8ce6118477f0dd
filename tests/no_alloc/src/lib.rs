//! Nothing but tests, in `tests/`: what works where nothing can be allocated.
