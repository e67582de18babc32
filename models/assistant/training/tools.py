"""Questions with tools: the right calls with the right arguments, several in one answer, none where none fits, and words from results."""

import copy
import json
import re

from tokens import chat_prompt
from tool_specs import POOLS, SPECS
from words import CITY, COLOUR, COUNTRY, DAYS, FOOD, TASK, THING

LIST_POOLS = {**POOLS, 'food': FOOD, 'day': DAYS}
PLAIN_POOLS = {**POOLS, 'city': CITY, 'country': COUNTRY, 'food': FOOD, 'thing': THING, 'task': TASK, 'colour': COLOUR}


def parse_parameter(text):
    name, kind, values, rest = text.split(':', 3)
    # A value list may hold a colon only in the phrase, which is the last part.
    description, _, phrase = rest.partition(':')
    return {'name': name.rstrip('?'), 'optional': name.endswith('?'), 'type': kind, 'values': values, 'description': description, 'phrase': phrase}


def parse_spec(line):
    name, description, parameters, questions = line.split('|', 3)
    return {'name': name, 'description': description, 'parameters': [parse_parameter(text) for text in parameters.split(';')], 'questions': questions.split(';;')}


SPEC_LIST = [parse_spec(line) for line in SPECS.strip().split('\n')]


def described(name, description, properties, required):
    return {'type': 'function', 'function': {'name': name, 'description': description, 'parameters': {'type': 'object', 'properties': properties, 'required': required}}}


def tools_system(tools, system=None):
    """The system text by which the gateway tells tools to a model whose template has none (template-messages.ts)."""
    told = [
        'You can call functions. Their signatures, one per line:', '<tools>', *[json.dumps(tool, ensure_ascii=False, separators=(',', ':')) for tool in tools], '</tools>',
        'To call one, answer with its name and arguments as JSON and nothing else:', '<tool_call>\n{"name": "<name>", "arguments": {<arguments>}}\n</tool_call>',
    ]
    return '\n\n'.join(text for text in (system, '\n'.join(told)) if text)


def written_call(name, arguments):
    return f'<tool_call>\n{{"name": {json.dumps(name, ensure_ascii=False)}, "arguments": {json.dumps(arguments, ensure_ascii=False)}}}\n</tool_call>'


def told_call(name, arguments):
    """A call of an earlier turn, as the gateway renders it."""
    return '<tool_call>\n' + json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False, separators=(',', ':')) + '\n</tool_call>'


def number_of(words, form):
    least, most = map(int, form.split('-'))
    return words.random.randint(least, most)


def value(words, parameter):
    """(value, how the question says it)."""
    form = parameter['values']
    if re.fullmatch(r'i\d+-\d+', form):
        chosen = number_of(words, form[1:])
        return chosen, f'{chosen:,}' if chosen >= 1000 and words.chance(0.3) and parameter['name'] not in ('season', 'year') else str(chosen)
    if re.fullmatch(r'f\d+-\d+', form):
        chosen = number_of(words, form[1:])
        if words.chance(0.35):
            chosen = chosen + words.pick([0.5, 0.25, 0.75, round(words.random.random(), 2)])
        return chosen, str(chosen)
    if form.startswith('enum('):
        choices = enum_of(parameter)
        chosen = words.pick(choices)
        return chosen, chosen
    if form in ('li', 'lf'):
        chosen = [words.random.randint(1, 99) + (0.5 if form == 'lf' and words.chance(0.4) else 0) for _ in range(words.random.randint(3, 6))]
        texts = [str(item) for item in chosen]
        return chosen, words.pick([', '.join(texts), f'[{", ".join(texts)}]', f'{", ".join(texts[:-1])} and {texts[-1]}'])
    if form.startswith('l-'):
        chosen = words.some(LIST_POOLS[form[2:]], 1, 3)
        return chosen, chosen[0] if len(chosen) == 1 else f'{", ".join(chosen[:-1])} and {chosen[-1]}'
    if form == 'yes':
        return True, ''
    if form == 'iso':
        chosen = f'20{words.random.randint(20, 28)}-{words.random.randint(1, 12):02}-{words.random.randint(1, 28):02}'
        return chosen, chosen
    chosen = words.pick(PLAIN_POOLS[form]) if form in PLAIN_POOLS else getattr(words, form)()
    return chosen, chosen


def enum_of(parameter):
    inner = parameter['values'][5:-1]
    return ['kg/m³', 'g/cm³'] if '³' in inner else inner.split('/')


def json_type(parameter):
    schema = {'type': parameter['type'], 'description': parameter['description']}
    if parameter['values'].startswith('enum('):
        schema['enum'] = enum_of(parameter)
    if parameter['type'] == 'array':
        schema['items'] = {'type': 'integer' if parameter['values'] == 'li' else 'number' if parameter['values'] == 'lf' else 'string'}
    return schema


RENAMES = {'city': ['location', 'place', 'city_name', 'town'], 'location': ['city', 'place', 'region'], 'date': ['day', 'on_date', 'when'], 'amount': ['value', 'sum', 'quantity'], 'name': ['full_name', 'title', 'label'], 'query': ['search_term', 'q', 'keywords'], 'radius': ['r', 'circle_radius'],
           'height': ['h', 'height_m'], 'country': ['country_name', 'nation'], 'text': ['content', 'message', 'input'], 'number': ['n', 'num', 'value'], 'days': ['num_days', 'day_count'], 'time': ['at', 'start_time', 'hour'], 'to': ['recipient', 'address'], 'people': ['party_size', 'guests', 'num_people'], 'order_id': ['order', 'order_number']}


def variant(words, spec):
    """The spec under other names, as another author would write it."""
    spec = copy.deepcopy(spec)
    for parameter in spec['parameters']:
        other = words.pick(RENAMES.get(parameter['name'], [parameter['name']])) if words.chance(0.3) else parameter['name']
        if other != parameter['name'] and other not in [p['name'] for p in spec['parameters']]:
            spec['questions'] = [question.replace('{' + parameter['name'] + '}', '{' + other + '}') for question in spec['questions']]
            parameter['phrase'] = parameter['phrase'].replace('{' + parameter['name'] + '}', '{' + other + '}')
            parameter['name'] = other
    name = spec['name'].replace('.', '_')
    style = words.random.randrange(6)
    if style == 0:
        pieces = name.split('_')
        name = pieces[0] + ''.join(piece.capitalize() for piece in pieces[1:])
    elif style == 1:
        name = words.pick(['api_', 'tool_', 'get_', 'do_', 'my_', 'service_', 'v2_']) + name
    elif style == 2:
        name = name + words.pick(['_tool', '_api', '_v1', '_service', '_lookup', '_get', '_run'])
    spec['name'] = name
    if words.chance(0.3):
        first = spec['description'].rstrip('.')
        spec['description'] = words.pick([f'{first}', f'{first}, for the user.', f'This function can {first[0].lower()}{first[1:]}.', f'{first}. Returns JSON.', f'Use this to {first[0].lower()}{first[1:]}.'])
    if words.chance(0.12):
        words.random.shuffle(spec['parameters'])
    return spec


EXTRAS = [('verbose', {'type': 'boolean', 'description': 'Whether to return details. Default is false.'}), ('format', {'type': 'string', 'description': "Format of the result. Default is 'json'.", 'enum': ['json', 'text', 'xml']}), ('language', {'type': 'string', 'description': "Language of the answer. Default is 'en'."}), ('limit', {'type': 'integer', 'description': 'Most results. Default is 10.'}), ('timeout', {'type': 'integer', 'description': 'Seconds to wait, 30 by default.'}), ('include_history', {'type': 'boolean', 'description': 'Whether to return earlier values.', 'default': False})]


def declaration(words, spec):
    properties = {parameter['name']: json_type(parameter) for parameter in spec['parameters']}
    for name, schema in words.some(EXTRAS, 0, 2) if words.chance(0.3) else []:
        properties.setdefault(name, schema)
    if words.chance(0.1):
        for schema in properties.values():
            if words.chance(0.5):
                schema.pop('description', None)
    return described(spec['name'], spec['description'], properties, [p['name'] for p in spec['parameters'] if not p['optional']])


def request(words, spec):
    """(question, arguments in the order of the declaration)."""
    said, arguments = {}, {}
    asked = words.pick(spec['questions'])
    for parameter in spec['parameters']:
        shown = '{' + parameter['name'] + '}' in asked
        if parameter['optional'] and not (words.chance(0.35) and parameter['phrase']):
            continue
        chosen, text = value(words, parameter)
        if not shown and not parameter['optional']:
            return request(words, spec)
        said[parameter['name']] = text
        if parameter['optional']:
            end = '' if asked[-1].isalnum() or asked[-1] in '}"' else asked[-1]
            asked = asked[: len(asked) - len(end)] + parameter['phrase'] + end
        arguments[parameter['name']] = chosen
    question = asked.format(**said)
    return question, arguments


POLITE = ['', '', '', '', '', 'Please help me: ', 'Hey, ', 'Quick question: ', 'Hello! ', 'I have a question. ']
REFUSALS = ['I have no tool for that.', 'None of the tools I have can do that.', 'I cannot do that with the tools I have.', 'Sorry, no tool that I have fits this request.']
CHAT = [('Hello!', 'Hello! How can I help you?'), ('Thanks!', 'You are welcome!'), ('Who are you?', 'I am the assistant of this gateway. I can answer questions and call the tools I was given.'), ('Hi', 'Hi! What can I do for you?'), ('Thank you, that was all.', 'You are welcome. Have a nice day!'), ('Good morning', 'Good morning! How can I help you?'), ('Bye', 'Goodbye!'), ('What can you do?', 'I can answer short questions and use the tools I was given.')]
SYSTEMS = [None] * 8 + ['You are a helpful assistant.', 'You are a helpful assistant. Use the tools where they help.', 'Be brief.']


def choose(words, count):
    return [variant(words, spec) for spec in words.random.sample(SPEC_LIST, count)]


def tool_example(words):
    kind = words.random.choices(['one', 'of several', 'several calls', 'different calls', 'none', 'chat', 'missing', 'result'], [26, 26, 12, 8, 12, 2, 4, 10])[0]
    return {'one': one, 'of several': of_several, 'several calls': several_calls, 'different calls': different_calls, 'none': none_fits, 'chat': chat, 'missing': missing, 'result': result}[kind](words)


def prompt(words, specs, question, more=()):
    tools = [declaration(words, spec) for spec in specs]
    return chat_prompt([('user', question), *more], tools_system(tools, words.pick(SYSTEMS)))


def in_order(spec, arguments):
    return {p['name']: arguments[p['name']] for p in spec['parameters'] if p['name'] in arguments}


def one(words):
    (spec,) = choose(words, 1)
    question, arguments = request(words, spec)
    return prompt(words, [spec], words.pick(POLITE) + question), written_call(spec['name'], arguments)


def of_several(words):
    specs = choose(words, words.random.randint(2, 5))
    question, arguments = request(words, specs[0])
    shown = words.random.sample(specs, len(specs))
    return prompt(words, shown, words.pick(POLITE) + question), written_call(specs[0]['name'], arguments)


def lowered(question):
    return question[0].lower() + question[1:] if question[:2] not in ('I ', 'Is') else question


def several_calls(words):
    specs = choose(words, words.pick([1, 1, 2, 3]))
    spec = specs[0]
    pairs = [request(words, {**spec, 'questions': [words.pick(spec['questions'])]}) for _ in range(words.pick([2, 2, 3]))]
    slots = [p['name'] for p in spec['parameters']]
    question = ' '.join(pair[0] for pair in pairs)
    asked = words.pick(spec['questions'])
    said_in = [p for p in spec['parameters'] if '{' + p['name'] + '}' in asked]
    if said_in and (len(slots) == 1 or words.chance(0.4)):
        # One parameter has several values, the others are shared.
        changing = words.pick(said_in)
        shared, texts = {}, {}
        for parameter in spec['parameters']:
            if parameter['optional'] or '{' + parameter['name'] + '}' not in asked:
                continue
            shared[parameter['name']], texts[parameter['name']] = value(words, parameter)
        if set(shared) == {p['name'] for p in spec['parameters'] if not p['optional']} and changing['type'] != 'array':
            values = {}
            for _ in range(3):
                chosen, text = value(words, changing)
                values[str(chosen)] = (chosen, text)
            chosen = list(values.values())
            said = [text for _, text in chosen]
            texts[changing['name']] = f'{", ".join(said[:-1])} and {said[-1]}' if len(said) > 1 else said[0]
            calls = [in_order(spec, {**shared, changing['name']: item}) for item, _ in chosen]
            shown = words.random.sample(specs, len(specs))
            return prompt(words, shown, asked.format(**texts)), '\n'.join(written_call(spec['name'], call) for call in calls)
    if words.chance(0.5):
        question = f'{pairs[0][0].rstrip(".?")} and then {lowered(pairs[1][0])}' + ''.join(f' {extra[0]}' for extra in pairs[2:])
    shown = words.random.sample(specs, len(specs))
    return prompt(words, shown, question), '\n'.join(written_call(spec['name'], arguments) for _, arguments in pairs)


def different_calls(words):
    specs = choose(words, words.random.randint(2, 4))
    pairs = [(spec, *request(words, spec)) for spec in specs[: words.pick([2, 2, 3])]]
    question = words.pick([' ', ' Also: ', ' And ']).join([pairs[0][1], *[pair[1] for pair in pairs[1:]]])
    if words.chance(0.4):
        question = f'{pairs[0][1].rstrip(".?")}, and {lowered(pairs[1][1])}' + ''.join(f' {pair[1]}' for pair in pairs[2:])
    shown = words.random.sample(specs, len(specs))
    return prompt(words, shown, question), '\n'.join(written_call(spec['name'], arguments) for spec, _, arguments in pairs)


def none_fits(words):
    specs = choose(words, words.random.randint(2, 4))
    question, _ = request(words, specs[0])
    return prompt(words, specs[1:], words.pick(POLITE) + question), words.pick(REFUSALS)


def chat(words):
    specs = choose(words, words.random.randint(1, 3))
    question, answer = words.pick(CHAT)
    return prompt(words, specs, question), answer


ASKS = {'city': 'Which city do you mean?', 'location': 'Which place do you mean?', 'date': 'For which day?', 'time': 'At what time?', 'to': 'Who should get it?', 'amount': 'Which amount?'}
VAGUE = {'get_weather': 'What is the weather like?', 'set_reminder': 'Set a reminder.', 'send_email': 'Send an e-mail.', 'book_hotel': 'Book me a hotel.', 'search_flights': 'Find me a flight.', 'convert_currency': 'Convert some money for me.', 'track_package': 'Where is my package?', 'order_status': 'What is the status of my order?', 'create_event': 'Put something in my calendar.', 'translate_text': 'Translate something for me.', 'call_contact': 'Call somebody for me.', 'reserve_table': 'Reserve a table.', 'cancel_order': 'Cancel my order.', 'find_recipe': 'Find me a recipe.', 'set_alarm': 'Set an alarm.', 'reset_password': 'Reset a password.'}


def missing(words):
    """A parameter that was not given is asked for, not invented."""
    name = words.pick(list(VAGUE))
    spec = next(spec for spec in SPEC_LIST if spec['name'] == name)
    spec = variant(words, spec)
    lacks = [p['description'].rstrip('.').split(',')[0].lower() for p in spec['parameters'] if not p['optional']]
    told = lacks[0] if len(lacks) == 1 else f'{", ".join(lacks[:-1])} and {lacks[-1]}'
    return prompt(words, [spec, *choose(words, words.random.randint(0, 2))], VAGUE[name]), f'Please tell me: {told}.'


RESULTS = [
    ('get_weather', lambda w, a: ({'temperature': (t := w.random.randint(-5, 35)), 'condition': (c := w.pick(['sunny', 'cloudy', 'rain', 'snow', 'windy']))}, f'It is {t} degrees in {a["city"]}, {c}.')),
    ('convert_currency', lambda w, a: ({'result': (r := w.random.randint(3, 9000))}, f'{a["amount"]} {a["from_currency"]} is {r} {a["to_currency"]}.')),
    ('stock_price', lambda w, a: ({'price': (p := w.random.randint(10, 900)), 'currency': 'USD'}, f'The price of {a["symbol"]} is {p} USD.')),
    ('distance_between', lambda w, a: ({'distance_km': (d := w.random.randint(20, 9000))}, f'It is {d} km from {a["start"]} to {a["end"]}.')),
    ('order_status', lambda w, a: ({'status': (s := w.pick(['shipped', 'open', 'delivered', 'cancelled'])), 'date': (d := w.date())}, f'Order {a["order_id"]} is {s} ({d}).')),
    ('track_package', lambda w, a: ({'location': (c := w.pick(CITY)), 'status': 'in transit'}, f'Your package is in transit. It is in {c}.')),
    ('population', lambda w, a: ({'population': (p := w.random.randint(300000, 90000000))}, f'{a["country"]} has {p} inhabitants.')),
    ('current_time', lambda w, a: ({'time': (t := w.time())}, f'It is {t} in {a["city"]}.')),
    ('set_reminder', lambda w, a: ({'ok': True}, f'I will remind you to {a["text"]} at {a["time"]}.')),
    ('send_email', lambda w, a: ({'sent': True}, f'The e-mail to {a["to"]} was sent.')),
    ('bmi_calculator', lambda w, a: ({'bmi': (b := w.random.randint(17, 34))}, f'The BMI is {b}.')),
    ('check_stock', lambda w, a: ({'in_stock': (n := w.random.randint(0, 40))}, f'There are {n} of the {a["product"]} in stock.' if n else f'The {a["product"]} is out of stock.')),
    ('server_status', lambda w, a: ({'status': (s := w.pick(['up', 'down'])), 'load': (l := w.random.randint(1, 99))}, f'{a["server"]} is {s}, with a load of {l} %.')),
    ('search_contacts', lambda w, a: ({'name': a['name'], 'phone': (p := w.phone())}, f'The phone number of {a["name"]} is {p}.')),
    ('create_event', lambda w, a: ({'id': w.number('ev-'), 'created': True}, f'"{a["title"]}" is in your calendar on {a["date"]} at {a["time"]}.')),
    ('compound_interest', lambda w, a: ({'final_amount': (f := w.random.randint(500, 50000))}, f'After {a["years"]} years it will be {f}.')),
    ('capital_city', lambda w, a: ({'capital': (c := w.pick(CITY))}, f'The capital of {a["country"]} is {c}.')),
]
ERROR = '[The tool reported an error]\n'
FAILURES = ['not found', 'timeout', 'service unavailable', 'invalid argument', 'permission denied']


def result(words):
    name, answered = words.pick(RESULTS)
    spec = next(spec for spec in SPEC_LIST if spec['name'] == name)
    question, arguments = request(words, spec)
    found, answer = answered(words, arguments)
    text = json.dumps(found, ensure_ascii=False)
    if words.chance(0.25):
        text = ', '.join(f'{key}: {item}' for key, item in found.items())
    if words.chance(0.1):
        failure = words.pick(FAILURES)
        text, answer = ERROR + failure, f'That did not work: {failure}.'
    more = [('assistant', told_call(name, arguments)), ('user', f'<tool_response>\n{text}\n</tool_response>')]
    return prompt(words, [spec, *choose(words, words.random.randint(0, 2))], question, more), answer
