"""Label sets of agents' traces: Who&When, AgentProcessBench, CodeTraceBench, AgentRx; rewards of turns.

A label belongs to a turn of the trace. One on a message that is no turn, such as a user's, has no place here, and is
counted. Labels may be in another file than their trace, which a Reference names.
"""
