"""The asking of language models: one question or many, kept, numbered, repaired, in lockstep, continued.

    model = from_spec("gemini:gemini-2.5-flash")
    reply = ask(model, Question.of("Write tic-tac-toe.", "demo"))                  # one question
    replies = ask_together(model, questions)                                       # many, as one batch
    session = Session(ReplyCache(model, "run/calls.jsonl"), seed=3)                # a run that may be killed
    [attempts] = ask_with_repairs(session.ask_together, [draft], most=4)           # until a check passes
    for index, result in lockstep.run(tasks, Client(model)): ...                   # many tasks, shared batches
    turns = Conversation.begun("Write tic-tac-toe.").continued(reply.text, "The test fails.")

| module | content |
|---|---|
| `questions` | `Question`: a request and the check of its reply; `Reply`; `ask`, `ask_together` |
| `batches` | requests that go out together: as a batch, or in threads |
| `reply_cache` | `ReplyCache`: replies kept in a file by key, so that a killed run asks nothing twice |
| `resumed` | `Resumed`: a request that an earlier run recorded is not asked again (`from_spec(..., resume=True)`) |
| `session` | `Session`: the questions of one run, each with a seed of its own |
| `repairs` | asking again until a check passes, with the fault in the prompt |
| `client`, `lockstep` | many tasks (generators, or functions in threads) whose questions share batches |
| `conversation` | a conversation of several turns |
| `templates` | the prompt templates of a package |
| `call_notes` | the requests of a bot for a move, under the names that match records keep |
"""
