"""World models in C, searched by a core of ours that is compiled together with each of them."""
