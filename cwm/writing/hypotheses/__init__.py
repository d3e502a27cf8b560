"""Hypothesis search: a third refiner, for rules that leave things out or are false, beside the two of the paper.

Conversation and tree search show a language model one failed test at a time, and only of games that were recorded anyway.
With incomplete rules that is thin: one failure fits many rules, and five random games never show some rules at all. So:

* **All failures, grouped** (`grouping`). What thirty failures have in common says more than any one of them; those that
  merely follow on a wrong state are counted apart, and the number of passed transitions of the same kind stands beside
  them, since a rule must explain these too. The shortest example of a group is shown, as it has the least to look at.
* **Readings** (`readings`). Where a model is unsure it writes the choice as a constant with its alternatives. One answer
  then holds several hypotheses, and the tests choose among them without a further call, which is what is scarce.
* **Several candidates stay alive** (`search`). A program dies when another one fails a proper subset of the tests that it
  fails; which of the others is right is an open question, not a matter of the score.
* **Games chosen to tell them apart** (`choosing`). Random games are played *inside* the candidates, which costs nothing, until
  they say different things; the shortest such game is put to an oracle (`oracle`), which plays it in the real game. So a
  few plies decide what random games show late or never. Chosen for the most information for each ply, as in optimal
  experiment design (D. V. Lindley, On a measure of the information provided by an experiment, 1956), with all candidates
  taken for equally likely.
* **Nothing left to ask is not the end** (`probing`). When one candidate passes all tests and no other differs from it, games
  are chosen that reach lines of it which no test has reached: whether it is right there is unknown.
* **Whole games come last**: a rule can be wrong in lines that were reached. A program that was right about all that is asked to
  play a few whole random games beside the oracle.
* **Contradictions are named** (`contradictions`). Where a sentence of the rules cannot be true of the games, the model says
  so in a line that a program can read.

The oracle is the ground truth behind one method; it counts its queries and plies. Without one the search still groups
failures and tries readings.
"""
