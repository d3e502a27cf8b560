"""The local page of `spielwright serve`: tables to play at, tournaments to watch, matches to look back at.

publishing      what each who looks may see of a match: the only way from a state to the browser
seats           the bots that sit at a table: a person at the other end of a pipe, a bot asked once more
table_process   the process in which one table's match is played
tables          the tables of a server, and what is kept of them in SQLite
permissions     which games and bots a visitor may name
catalogue       games, bots and stored matches as data, read in a process of their own
watching        one reader of a database for all who watch it
started         tournaments and leagues that the page has started, as processes with a folder each
guard           which requests are answered at all
app             the addresses
"""
