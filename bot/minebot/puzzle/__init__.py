"""Boards typed as text: their forms, their answers, and a dialogue about them."""
