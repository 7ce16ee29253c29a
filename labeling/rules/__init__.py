"""The rules of labelling: protocol, agreement, consensus, steps, answers. Pure, without Django."""
