"""What is released of a text: the words that stay, whoever kept them."""
