// On a phone, the module adds only the reading of logs.
@_exported import os
