"""Speed of training and scoring, and a model's quality, each compared with alternatives."""
