"""Which cell to guess, where nothing is certain: judged in floating point, compiled.

Certainty never comes from here. The compiled parts are loaded when the first guess
is due, for most rounds of a game need none.
"""
