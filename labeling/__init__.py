"""The ground floor: problems, solutions, phases, rounds, labels."""
