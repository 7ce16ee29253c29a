"""Steps that know what they are: a model's turns as typed parts, and the one text that is read of them."""
