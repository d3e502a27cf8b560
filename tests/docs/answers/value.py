import model


def value(state):
    """The returns so far: right at the end, and no opinion before."""
    return model.returns(state)
