"""Functions that are made up from verbs, things and parameters, so that names are read and values copied, and not learned by heart."""

import datetime

from statements import fill
from tokens import chat_prompt
from words import MONTHS, WORDS

VERBS = 'calculate|find|get|compute|search|create|update|check|estimate|book|list|predict|analyze|convert|retrieve|generate|compare|schedule|track|fetch|look up|evaluate|simulate|order|register|measure|plan|delete|send|add|set|count|solve|cancel|review|translate|filter|sort|recommend|validate'.split('|')
THINGS = '''area|volume|distance|price|forecast|route|schedule|report|score|profile|event|recipe|growth rate|probability|energy|pressure|speed|temperature|density|revenue|profit|tax|loan payment|interest|discount|stock value|budget|salary|population|budget report|
ranking|match result|player record|tournament|weather|humidity|air quality|rainfall|traffic|flight|train ticket|hotel room|car rental|restaurant table|museum visit|concert|film|song|playlist|painting|sculpture|book|author|article|translation|word count|grammar check|
lawsuit|court case|patent|contract|crime rate|licence|gene|protein|cell|mutation|species|ecosystem|habitat|plant|disease|diet|calorie intake|workout|sleep record|heart rate|blood test|medicine|appointment|prescription|game character|chess move|dice roll|card hand|level|
magnetic field|electric field|circuit|resistance|wave length|half life|reaction|molecule|element|orbit|star|galaxy|matrix|derivative|integral|equation|regression|mean|variance|sequence|prime number|triangle|circle|graph|sort order|hash|password|file|folder|image|video|server|
database row|query|log entry|user account|group|message|email|reminder|note|task|ticket|invoice|order|parcel|warehouse stock|supplier|customer|product|review|coupon|meeting|room|light|thermostat|camera|door lock|robot|drone|printer|battery|solar panel|garden|paint amount|furniture|carpet'''.replace('\n', '').split('|')
NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split()


def whole(least, most, units=('',)):
    def make(w):
        value = w.random.randint(least, most)
        unit = w.pick(units)
        shown = f'{value:,}' if value >= 1000 and w.chance(0.6) else NUMBERS[value - 1] if 1 <= value <= 12 and w.chance(0.12) else str(value)
        return value, shown + unit
    return make


def money(w):
    value = w.pick([w.random.randint(1, 99) * 10 ** w.random.randint(1, 4), w.random.randint(20, 90000), w.random.randint(1, 40) * 500])
    form = w.random.randrange(6)
    if form == 0 and value % 1_000_000 == 0 or form == 1 and value % 1000 == 0 and value < 100_000:
        return value, f'${value // 1000}k' if form == 1 else f'${value // 1_000_000} million'
    return value, [f'${value:,}', f'${value}', f'{value} dollars', f'{value:,} USD', f'{value} euros', f'${value:,}'][form]


def decimal(w):
    value = round(w.random.uniform(0.01, 99), w.pick([1, 1, 2, 3])) if w.chance(0.7) else w.random.randint(1, 90)
    return value, str(value)


def percent_as_share(w):
    value = w.pick([w.random.randint(1, 95), w.random.randint(2, 30) / 2])
    return round(value / 100, 4), w.pick([f'{value}%', f'{value} percent'])


def percent(w):
    value = w.pick([w.random.randint(1, 95), w.random.randint(2, 30) / 2])
    return value, w.pick([f'{value}%', f'{value} percent', f'{value} %'])


def iso_date(w):
    day = datetime.date(2018, 1, 1) + datetime.timedelta(days=w.random.randint(0, 3300))
    end = {1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st'}.get(day.day, 'th')
    month = MONTHS[day.month - 1]
    return day.isoformat(), w.pick([day.isoformat(), day.isoformat(), f'{month} {day.day}, {day.year}', f'{month} {day.day}{end}, {day.year}', f'{day.day} {month} {day.year}', f'the {day.day}{end} of {month} {day.year}'])


def american_date(w):
    value, shown = iso_date(w)
    return datetime.date.fromisoformat(value).strftime('%m-%d-%Y'), shown


def texts(kind):
    def make(w):
        value = fill(w, '{' + kind + '}')[0][0]
        return value, w.pick([value, value, value, f"'{value}'", f'"{value}"'])
    return make


def odd_name(w):
    value = w.pick([w.odd, lambda: w.odd().title(), w.name, lambda: f'{w.name()} {w.pick(WORDS)}', lambda: f'{w.pick(WORDS)}_{w.pick(WORDS)}', w.company, lambda: f'The {w.pick(WORDS).title()} {w.pick(WORDS).title()}'])()
    return value, w.pick([value, value, f"'{value}'", f'"{value}"'])


def code(w):
    value = w.pick([lambda: w.number(), lambda: f'{w.pick("abcdrstx")}{w.pick("abcdrstx")}{w.random.randint(100, 9_999_999)}', lambda: f'{w.pick(WORDS).upper()}-{w.random.randint(1, 999)}', lambda: f'{w.random.randint(2000, 2026)}/{w.pick("ABCD")}{w.pick("KLMN")}{w.random.randint(1, 9999)}'])()
    return value, value


def some_numbers(w):
    value = [w.random.randint(0, 99) if w.chance(0.8) else round(w.random.uniform(0, 50), 1) for _ in range(w.random.randint(2, 7))]
    shown = [str(each) for each in value]
    return value, w.pick([f'[{", ".join(shown)}]', ', '.join(shown), f'{", ".join(shown[:-1])} and {shown[-1]}', f'({", ".join(shown)})'])


def some_texts(w):
    value = list(dict.fromkeys(w.pick([w.odd, w.name, lambda: w.pick(WORDS), lambda: w.first()])() for _ in range(w.random.randint(1, 4))))
    return value, value[0] if len(value) == 1 else w.pick([f'{", ".join(value[:-1])} and {value[-1]}', f'{", ".join(value[:-1])}, and {value[-1]}', ', '.join(value), ' and '.join(value) if len(value) == 2 else ', '.join(value)])


def place(w):
    city = fill(w, '{city}')[0][0]
    return w.pick([(city, city), (city, city), (f'{city}, {(s := w.pick(["CA", "TX", "NY", "France", "Spain", "UK", "Ohio", "Japan"]))}', f'{city}, {s}')])


CHOICES = [
    (['unit', 'units', 'unit_system'], ['metric', 'imperial']), (['mode', 'travel_mode', 'transport'], ['driving', 'walking', 'cycling', 'transit']), (['priority', 'urgency'], ['low', 'medium', 'high']), (['order', 'sort_order'], ['ascending', 'descending']), (['size', 'portion'], ['small', 'medium', 'large']), (['frequency', 'interval'], ['daily', 'weekly', 'monthly', 'yearly']),
    (['level', 'difficulty'], ['beginner', 'intermediate', 'expert']), (['genre', 'style'], ['jazz', 'classical', 'rock', 'folk']), (['status', 'state'], ['open', 'closed', 'pending']), (['gender'], ['male', 'female']), (['season'], ['spring', 'summer', 'autumn', 'winter']), (['method', 'model', 'algorithm'], ['linear', 'quadratic', 'exponential', 'Newton']),
    (['material', 'fabric'], ['wood', 'steel', 'glass', 'cotton']), (['cuisine', 'diet'], ['vegan', 'vegetarian', 'Italian', 'Thai']), (['shape', 'form'], ['circle', 'square', 'triangle']), (['format', 'file_format'], ['pdf', 'csv', 'json', 'html']), (['color', 'colour'], ['red', 'green', 'blue', 'black']), (['class_type', 'category'], ['economy', 'business', 'premium']),
    (['language', 'lang'], ['English', 'French', 'German', 'Spanish']), (['position', 'side'], ['left', 'right', 'center']), (['platform', 'console'], ['PC', 'PlayStation', 'Xbox', 'Switch']), (['instrument'], ['piano', 'violin', 'guitar', 'flute']),
]
# Names, type, description, value with how it is said, phrases.
PARAMETERS = [
    (['length', 'side_length', 'len'], 'number', 'The length in metres.', whole(1, 400, ['', ' meters', ' m', ' cm']), ['with a length of {t}', 'that is {t} long', 'of length {t}']), (['radius', 'r'], 'number', 'Radius of the shape.', whole(1, 90, ['', ' cm', ' units']), ['with a radius of {t}', 'with radius {t}', 'whose radius is {t}']),
    (['height', 'altitude'], 'integer', 'The height.', whole(2, 900, ['', ' meters', ' m', ' feet']), ['with a height of {t}', 'from a height of {t}', '{t} high']), (['width', 'breadth'], 'integer', 'The width.', whole(2, 300, ['', ' cm', ' m']), ['with a width of {t}', '{t} wide']), (['mass', 'weight', 'body_weight'], 'number', 'Mass in kg.', whole(1, 900, [' kg', 'kg', ' kilograms']), ['with a mass of {t}', 'weighing {t}', 'for {t}']),
    (['temperature', 'temp'], 'integer', 'Temperature in degrees.', whole(1, 400, ['', ' degrees', 'K', ' Celsius']), ['at a temperature of {t}', 'at {t}']), (['velocity', 'initial_velocity', 'speed'], 'number', 'Speed in m/s.', whole(1, 300, ['', ' m/s', ' meters per second']), ['with a velocity of {t}', 'moving at {t}', 'at a speed of {t}']), (['time', 'duration', 't'], 'integer', 'Time in seconds.', whole(1, 600, [' seconds', ' s', ' sec']), ['after {t}', 'for {t}', 'within {t}']),
    (['days', 'num_days', 'day_count'], 'integer', 'Number of days.', whole(1, 30, [' days']), ['for {t}', 'over the next {t}', 'for the last {t}']), (['years', 'duration_years', 'term'], 'integer', 'Number of years.', whole(1, 40, [' years']), ['for {t}', 'over {t}', 'after {t}', 'over a period of {t}']), (['year'], 'integer', 'The year.', lambda w: (y := w.random.randint(1950, 2030), str(y)), ['in {t}', 'in the year {t}', 'for {t}', 'from {t}']),
    (['people', 'party_size', 'guests', 'num_people'], 'integer', 'How many people.', whole(1, 20, [' people', ' persons', ' guests']), ['for {t}', 'with {t}']), (['quantity', 'count', 'number', 'n'], 'integer', 'How many.', whole(1, 60), ['{t} times', 'with a quantity of {t}', 'with {t} of them']), (['principal', 'amount', 'initial_investment', 'investment'], 'integer', 'The amount of money.', money, ['of {t}', 'with an investment of {t}', 'for an amount of {t}', 'starting with {t}']),
    (['income', 'revenue', 'net_income', 'salary'], 'integer', 'Yearly income.', money, ['with an income of {t}', 'earning {t}', 'given an income of {t}']), (['price', 'max_price', 'budget', 'cost'], 'number', 'Price.', money, ['under {t}', 'for {t}', 'with a budget of {t}', 'at a price of {t}']), (['rate', 'interest_rate', 'annual_rate'], 'number', 'The rate as a decimal, for example 0.05.', percent_as_share, ['at a rate of {t}', 'with {t} interest', 'with an annual rate of {t}']),
    (['interest_rate', 'rate', 'percentage', 'growth'], 'number', 'The rate in percent.', percent, ['at {t}', 'with a rate of {t}', 'growing by {t}']), (['probability', 'p', 'frequency', 'share'], 'number', 'A probability between 0 and 1.', lambda w: (v := round(w.random.random(), 2), str(v)), ['with a probability of {t}', 'with p = {t}', 'given a frequency of {t}']), (['a', 'x', 'value', 'num1', 'first'], 'integer', 'A number.', whole(1, 999), ['with {n} = {t}', 'where {n} is {t}', 'for {n}={t}', 'with the value {t}']),
    (['b', 'y', 'num2', 'second'], 'integer', 'Another number.', whole(1, 999), ['and {n} = {t}', 'with {n} equal to {t}', '{n}={t}']), (['coefficient', 'factor', 'constant'], 'number', 'A coefficient.', decimal, ['with a {n} of {t}', 'using {t} as the {n}']), (['city', 'location', 'place', 'city_name'], 'string', 'The city.', place, ['in {t}', 'for {t}', 'near {t}', 'around {t}']), (['origin', 'start', 'from_city', 'start_location'], 'string', 'Where it begins.', place, ['from {t}', 'starting in {t}']),
    (['destination', 'end', 'to_city', 'end_location'], 'string', 'Where it ends.', place, ['to {t}', 'ending in {t}']), (['date', 'day', 'on_date', 'start_date'], 'string', 'The date, YYYY-MM-DD.', iso_date, ['on {t}', 'for {t}', 'starting on {t}']), (['end_date', 'until', 'check_out'], 'string', 'Last day in the format YYYY-MM-DD.', iso_date, ['until {t}', 'ending on {t}', 'to {t}']), (['date', 'on_date'], 'string', 'The date in the format MM-DD-YYYY.', american_date, ['on {t}', 'for {t}']),
    (['time_of_day', 'at', 'start_time'], 'string', 'Time of the day.', texts('time'), ['at {t}', 'starting at {t}']), (['name', 'title', 'label'], 'string', 'The name.', odd_name, ['named {t}', 'called {t}', 'with the name {t}', 'titled {t}']), (['player', 'person', 'author', 'employee', 'full_name'], 'string', 'Name of the person.', texts('person'), ['of {t}', 'by {t}', 'for {t}']), (['company', 'company_name', 'brand', 'organization'], 'string', 'The company.', texts('company'), ['of the company {t}', 'of {t}', 'by {t}', 'involving {t}', 'against {t}']),
    (['id', 'case_number', 'order_id', 'record_id', 'item_id', 'docket'], 'string', 'Its identifier.', code, ['with the id {t}', 'with number {t}', 'number {t}', '{t}']), (['customer_id', 'user_id', 'ticket_id'], 'integer', 'Numeric identifier.', lambda w: (v := w.random.randint(100, 999999), str(v)), ['for the user {t}', 'with the id {t}', 'of customer {t}']), (['query', 'topic', 'keyword', 'subject'], 'string', 'What to look for.', odd_name, ['about {t}', 'on the topic of {t}', 'related to {t}', 'that mention {t}']),
    (['species', 'animal', 'plant', 'compound', 'item', 'product'], 'string', 'Which one.', texts('odd'), ['of the {t}', 'for a {t}', 'of {t}']), (['numbers', 'values', 'data', 'points', 'vector'], 'array:number', 'List of numbers.', some_numbers, ['of {t}', 'for the numbers {t}', 'with the values {t}', 'given {t}']), (['items', 'names', 'ingredients', 'tags', 'symptoms', 'topics', 'teams'], 'array:string', 'List of texts.', some_texts, ['with {t}', 'for {t}', 'using {t}', 'including {t}']),
    (['email', 'recipient', 'to'], 'string', 'E-mail address.', texts('mail'), ['to {t}', 'for {t}']), (['phone', 'phone_number'], 'string', 'Telephone number.', texts('phone'), ['with the phone number {t}', 'at {t}']), (['address', 'street_address'], 'string', 'The address.', texts('address'), ['at {t}', 'to {t}']), (['text', 'message', 'content', 'note'], 'string', 'The text.', texts('task'), ['saying {t}', 'with the text {t}', 'that says {t}']),
    (['distance', 'radius_km', 'max_distance'], 'integer', 'Distance in kilometres.', whole(1, 900, [' km', ' kilometers', ' miles']), ['within {t}', 'over a distance of {t}', 'up to {t} away']), (['current', 'charge', 'voltage', 'power'], 'number', 'Electric value.', decimal, ['with a {n} of {t}', 'carrying a {n} of {t}']), (['age'], 'integer', 'Age in years.', whole(1, 90), ['aged {t}', 'who is {t} years old', 'for a {t}-year-old']), (['hours', 'duration_hours'], 'number', 'Hours.', whole(1, 24, [' hours']), ['for {t}', 'lasting {t}']),
    (['minutes', 'duration_minutes'], 'integer', 'Minutes.', whole(5, 240, [' minutes']), ['for {t}', 'of {t}']), (['score', 'rating', 'min_rating'], 'number', 'Rating.', decimal, ['with a rating of at least {t}', 'rated {t}']), (['country', 'region'], 'string', 'The country.', lambda w: (v := w.pick('France Japan Brazil Kenya Canada Norway Peru India Spain'.split()), v), ['in {t}', 'of {t}', 'for {t}']), (['month'], 'string', 'The month.', texts('month'), ['in {t}', 'for the month of {t}']), (['precision', 'decimals', 'decimal_places'], 'integer', 'Decimal places.', whole(1, 8), ['with {t} decimal places', 'to {t} decimal places']),
]
FLAGS = [('include_{x}', 'Whether to include the {x}. Default is false.', ['including the {x}', 'with the {x}', 'and include the {x}'], True), ('show_{x}', 'Show the {x}, true by default.', ['without the {x}', 'but do not show the {x}'], False), ('{x}', 'Set to true for the {x}.', ['with {x}', 'and I want the {x}'], True), ('detailed', 'Whether to give details. Default is false.', ['in detail', 'with all details'], True)]


def parameter(w):
    """(name, schema, value, phrase)."""
    form = w.random.random()
    if form < 0.14:
        names, choices = w.pick(CHOICES)
        shown = w.some(choices, 2, 4)
        value = w.pick(shown)
        schema = {'type': 'string', 'description': w.pick(['One of the given values.', f"The {names[0]}: {', '.join(shown)}.", f'Which {names[0]}. Default is {w.pick(shown)}.'])}
        if w.chance(0.75):
            schema['enum'] = shown
        name = w.pick(names)
        return name, schema, value, w.pick(['using the {t} ' + name, 'in {t} ' + name, 'with {t} ' + name, 'with the ' + name + ' {t}', 'as {t}']).format(t=value).replace('_', ' ')
    if form < 0.2:
        name, description, phrases, value = w.pick(FLAGS)
        thing = w.pick(WORDS)
        return name.format(x=thing), {'type': 'boolean', 'description': description.format(x=thing)}, value, w.pick(phrases).format(x=thing)
    if form < 0.25:
        inner = {}
        for _ in range(w.pick([2, 2, 3])):
            name, schema, value, phrase = parameter(w)
            if schema['type'] not in ('object', 'array') and name not in inner:
                inner[name] = (schema, value, phrase)
        if not inner:
            return parameter(w)
        name = w.pick(['options', 'filters', 'details', 'settings', 'criteria', 'person_info'])
        return name, {'type': 'object', 'description': f'The {name}.', 'properties': {key: each[0] for key, each in inner.items()}}, {key: each[1] for key, each in inner.items()}, ' '.join(each[2] for each in inner.values())
    names, kind, description, make, phrases = w.pick(PARAMETERS)
    name = w.pick(names)
    value, text = make(w)
    if kind.startswith('array'):
        schema = {'type': 'array', 'items': {'type': kind.split(':')[1]}, 'description': description}
    else:
        schema = {'type': kind, 'description': description}
    if w.chance(0.2):
        name = f'{w.pick(WORDS)}_{name}'
        return name, {**schema, 'description': f'{description.rstrip(".")} of the {name.split("_")[0]}.'}, value, f'with the {name.replace("_", " ")} {text}'
    return name, schema, value, w.pick(phrases).format(t=text, n=name.replace('_', ' '))


def named(w, verb, thing):
    parts = [*verb.split(' '), *thing.split(' ')]
    form = w.random.randrange(7)
    if form == 0:
        return parts[0] + ''.join(part.capitalize() for part in parts[1:])
    if form == 1:
        return f'{thing.replace(" ", "_")}_{verb.replace(" ", "_")}'
    if form == 2:
        return f'{w.pick([w.pick(WORDS), "math", "finance", "travel", "game", "api"])}_{"_".join(parts)}'
    if form == 3:
        return f'{thing.replace(" ", "_")}_{w.pick(["info", "lookup", "finder", "service", "calculator", "details"])}'
    return '_'.join(parts)


def function(w, verb=None, thing=None):
    verb, thing = verb or w.pick(VERBS), thing or w.pick([*THINGS, f'{w.pick(WORDS)} {w.pick(THINGS)}', w.pick(WORDS)])
    given, taken = [], set()
    for _ in range(w.pick([1, 2, 2, 3, 3, 4, 5])):
        name, schema, value, phrase = parameter(w)
        if name in taken:
            continue
        taken.add(name)
        given.append({'name': name, 'schema': schema, 'value': value, 'phrase': phrase, 'optional': bool(given) and w.chance(0.3)})
    what = w.pick([f'{verb} the {thing}', f'{verb} {thing}', f'{verb} a {thing} by the given facts', f'{verb} the {thing} of something'])
    return {'verb': verb, 'thing': thing, 'name': named(w, verb, thing), 'description': w.pick([f'{what[0].upper()}{what[1:]}.', f'This function can {what}.', f'{what[0].upper()}{what[1:]}, with options.', f'Use this to {what}.']), 'parameters': given}


def declared(w, spec):
    properties = {}
    for each in spec['parameters']:
        schema = dict(each['schema'])
        if each['optional'] and 'efault' not in schema['description'] and w.chance(0.6):
            schema['description'] += w.pick([' Optional.', ' Default is none.', ' Optional parameter.', f' Default is {w.random.randint(1, 20)}.' if schema['type'] in ('integer', 'number') else " Default is ''."])
        properties[each['name']] = schema
    required = [each['name'] for each in spec['parameters'] if not each['optional']]
    return {'type': 'function', 'function': {'name': spec['name'], 'description': spec['description'], 'parameters': {'type': 'object', 'properties': properties, 'required': required}}}


BEFORE = ['', '', '', '', '', '', '', 'I am planning something. ', 'Hi! ', 'We are working on a project. ', 'My friend asked me. ', 'For my homework: ', "I'm curious. "]
OPENERS = ['{V} the {t}', '{V} the {t}', '{V} the {t}', '{V} a {t}', 'Can you {v} the {t}', 'Please {v} the {t}', 'I want to {v} the {t}', 'I need to {v} a {t}', 'What is the {t}', 'Help me {v} the {t}', 'Could you {v} the {t}', 'How do I {v} the {t}', "What's the {t}"]


def asked(w, spec):
    """(question, arguments)."""
    said = [each for each in spec['parameters'] if not each['optional'] or w.chance(0.4)]
    phrases = [each['phrase'] for each in said]
    if w.chance(0.3):
        w.random.shuffle(phrases)
    opener = w.pick(OPENERS).format(V=spec['verb'].capitalize(), v=spec['verb'], t=spec['thing'])
    end = '?' if opener.startswith(('Can', 'What', 'Could', 'How')) else w.pick(['.', '.', ''])
    between = w.pick([' ', ' ', ', '])
    return f'{opener} {between.join(phrases)}{end}', {each['name']: each['value'] for each in said}


def fresh(w, spec):
    """The same function with other values, where that can be done."""
    made = []
    for each in spec['parameters']:
        for _ in range(60):
            name, schema, value, phrase = parameter(w)
            if name == each['name'] and schema == each['schema']:
                made.append({**each, 'value': value, 'phrase': phrase})
                break
        else:
            made.append(each)
    return {**spec, 'parameters': made}


def free_tool_example(w):
    from tools import POLITE, REFUSALS, SYSTEMS, tools_system, written_call

    kind = w.random.choices(['one', 'several', 'parallel', 'different', 'none'], [42, 34, 8, 7, 9])[0]
    spec = function(w)
    # Near misses: the same verb or the same thing.
    others = [function(w, *w.pick([(spec['verb'], None), (None, spec['thing']), (None, None)])) for _ in range(0 if kind == 'one' else w.random.randint(1, 4))]
    others = [other for other in others if other['name'] != spec['name'] and (other['verb'], other['thing']) != (spec['verb'], spec['thing'])]
    if kind == 'different' and others:
        pairs = [(each, *asked(w, each)) for each in [spec, others[0]]]
        question = w.pick([' ', ' Also, ', ' And ']).join(pair[1] if pair[1][-1] in '.?' else f'{pair[1]}.' for pair in pairs)
        answer = '\n'.join(written_call(each['name'], arguments) for each, _, arguments in pairs)
    elif kind == 'parallel':
        pairs = [asked(w, each) for each in [spec, fresh(w, spec)]]
        if pairs[0][1] == pairs[1][1]:
            pairs = pairs[:1]
        question = w.pick([' ', ' Also, ', ' Then ']).join(pair[0] if pair[0][-1] in '.?' else f'{pair[0]}.' for pair in pairs)
        answer = '\n'.join(written_call(spec['name'], arguments) for _, arguments in pairs)
    elif kind == 'none':
        others = [other for other in others if other['thing'] != spec['thing']] or [function(w)]
        question, answer = asked(w, spec)[0], w.pick(REFUSALS)
    else:
        question, arguments = asked(w, spec)
        answer = written_call(spec['name'], arguments)
    shown = others if kind == 'none' else [spec, *others]
    w.random.shuffle(shown)
    return chat_prompt([('user', w.pick(BEFORE) + w.pick(POLITE) + question)], tools_system([declared(w, each) for each in shown], w.pick(SYSTEMS))), answer
