"""Chooses the cell to guess if nothing is certain, in compiled floating point.

It never decides that a cell is certain. The compiled parts are loaded for the first guess, since
most turns of a game need none.

`minebot.policy.plan.guess` has `engine.ranked` call `decide.decide`, which tries one method after
the other with the numbers of `settings`. A cell is undecided while it may be a mine or not, living
while a neighbour is undecided (opening any other one tells nothing), and touched if it is beside an
open cell. Two numbers that agree to nine digits are a tie. Then:

- the square that comes first wins, by rows (`lookahead._before`);
- candidates that are looked at one move deeper keep the order from before (`lookahead.deepen`);
- of endgame cells the first that `endgame.search` tried wins; the others it drops, or with
  `GuessingSettings.every` ranks behind;
- where no cell of an endgame tells anything, one is taken that is safe in the first layout
  (`endgame.best_strategy`);
- without the compiled parts, the cell beside most open cells wins (`plan._least_risk`).
"""
