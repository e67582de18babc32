"""Judges function calls as the Berkeley Function-Calling Leaderboard does: name, required and unexpected parameters, types, and values out of those accepted."""

import re

TYPES = {'string': str, 'integer': int, 'float': float, 'boolean': bool, 'array': list, 'tuple': list, 'dict': dict, 'any': str}
NESTED = ('array', 'tuple')
OMITTED = ''


def calls_right(functions, calls, accepted, *, parallel=False):
    """Whether calls [(name, arguments)] are what is accepted; the order of parallel calls is free."""
    if len(calls) != len(accepted):
        return False
    if not parallel:
        return call_right(described(functions, accepted[0]), calls[0], accepted[0])
    left = list(calls)
    for wanted in accepted:
        found = next((call for call in left if call_right(described(functions, wanted), call, wanted)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def described(functions, wanted):
    if len(functions) == 1:
        return functions[0]
    return next(function for function in functions if function['name'] == next(iter(wanted)))


def call_right(function, call, wanted):
    name, arguments = call
    # Names are sent with "_" in place of ".", as for servers that accept no dot.
    if name != function['name'].replace('.', '_'):
        return False
    accepted = next(iter(wanted.values()))
    properties = function['parameters']['properties']
    if any(required not in arguments for required in function['parameters'].get('required', [])):
        return False
    for parameter, value in arguments.items():
        if parameter not in properties or parameter not in accepted:
            return False
        if not value_right(properties[parameter], value, accepted[parameter]):
            return False
    return all(parameter in arguments or OMITTED in values for parameter, values in accepted.items())


def value_right(schema, value, accepted):
    kind = schema['type']
    expected = TYPES[kind]
    nested = TYPES[schema['items']['type']] if kind in NESTED and 'items' in schema else None
    if kind == 'float' and type(value) is int:
        value = float(value)
    fits, is_variable = type_fits(value, accepted, expected, nested)
    if not fits:
        return False
    if not is_variable:
        if expected is dict:
            return dict_right(value, accepted)
        if expected is list and nested is dict:
            return any(len(value) == len(each) and all(dict_right(one, [other]) for one, other in zip(value, each)) for each in accepted)
        if expected is str:
            return plain(value) in [plain(each) for each in accepted if isinstance(each, str)]
        if expected is list:
            return plain_items(value) in [plain_items(each) for each in accepted if isinstance(each, (list, str))]
    return value in accepted


def type_fits(value, accepted, expected, nested):
    """(whether the type is right, whether a name of a variable stands for the value)."""
    given = next((type(each) for each in accepted if each != OMITTED), None)
    is_variable = given is not None and given is not expected
    if type(value) is expected:
        if nested is None:
            return True, is_variable
        for each in accepted:
            if not isinstance(each, list) or all(type_fits(item, each, nested, None)[0] for item in value):
                return True, is_variable
    return (True, True) if given is not None and type(value) is given else (False, False)


def dict_right(value, accepted):
    for each in accepted:
        if each == OMITTED:
            continue
        values_right = all(key in each and standard(item) in [standard(other) for other in each[key]] for key, item in value.items())
        if values_right and all(key in value or OMITTED in others for key, others in each.items()):
            return True
    return False


def plain(text):
    return re.sub(r'[ ,./\-_*^]', '', text).lower().replace("'", '"')


def standard(item):
    return plain(item) if isinstance(item, str) else item


def plain_items(items):
    return [standard(item) for item in items]
