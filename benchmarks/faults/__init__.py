"""A deployment under load in which everything fails in turn: programs, machines' links, disks and clocks."""
