"""What both example apps share: messages, routes, the server thread and the command line.

Leaves out everything that a page shows; that belongs to the apps.
"""
