"""What the coordinator and the workers say to each other.

A name belongs here only if a coordinator and a worker of different versions would misunderstand
each other without it. Standard library and msgspec only; nothing here does I/O.
"""
