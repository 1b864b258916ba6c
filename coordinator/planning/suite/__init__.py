"""Planning a suite: which way a run is entered, which scenarios there are, and their waves.

Pure: texts and facts come in, values go out. Leaves out the files (`records/suite`).
"""
