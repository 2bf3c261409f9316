"""How the networks of `minebot.vision` are made: draw pictures, train, evaluate, export.

Not installed. `training/README.md` says which command does what; torch is needed here alone.
"""
