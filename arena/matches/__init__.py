"""One match: its opening, its chance, its play, its record, and the reading of records."""
