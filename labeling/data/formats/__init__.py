"""One module per file format: parsing and writing, without the database.

`parse` takes one decoded record and raises FormatError, which names the field; `write` yields the records of a
labelling, none where the format can't express it. Steps count from 0, ratings are -1, 0, 1 or None (unsure), times are
in milliseconds. `files` reads the files themselves.
"""
