"""Scripts as modules, for the tests of their functions."""
import importlib.util


def load(script):
    """The script's module, made anew."""
    specification = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
