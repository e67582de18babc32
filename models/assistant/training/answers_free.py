"""Texts that say the same kind of thing of several subjects, so that the question has to be read: each has near misses, and what is not said is not known."""

from statements import fill, sentence

# What is said of {x} with the value {v}; kinds of x and of v; questions; whole answers.
RELATIONS = '''
code|problem|Code {x} means that {v}.;;If {x} appears, {v}.;;{x}: {v}.;;The display shows {x} when {v}.|What does {x} mean?;;What is wrong if {x} appears?;;Why does it show {x}?|{x} means that {v}.
odd|amount|The {x} costs {v}.;;We charge {v} for the {x}.;;A {x} is {v}.;;For the {x} you pay {v}.|What does the {x} cost?;;How much is the {x}?;;What is the price of the {x}?;;How much do I have to pay for the {x}?|The {x} costs {v}.
odd|days|The {x} can be returned within {v}.;;You have {v} to bring back the {x}.;;The {x} may be sent back up to {v} after purchase.|How long can I return the {x}?;;How many days do I have to bring back the {x}?;;Until when may I send back the {x}?|You have {v}.
odd|person|{v} is responsible for the {x}.;;{v} looks after the {x}.;;Ask {v} about the {x}.;;The {x} is in the hands of {v}.;;{v} runs the {x}.|Who is responsible for the {x}?;;Whom do I ask about the {x}?;;Who looks after the {x}?;;Who takes care of the {x}?|{v} is responsible for the {x}.
role|person|The {x} is {v}.;;{v} is the {x}.;;{v} works as the {x}.;;Our {x}, {v}, is new.;;You meet the {x}, {v}, on the first day.|Who is the {x}?;;What is the name of the {x}?;;What is the {x} called?|The {x} is {v}.
odd|place|The {x} is in {v}.;;You find the {x} in {v}.;;{X} is kept in {v}.;;The {x} is handed out in {v}.;;Pick up the {x} in {v}.|Where is the {x}?;;Where do I find the {x}?;;Where do I get the {x}?;;Where can I pick up the {x}?|The {x} is in {v}.
odd|often|The {x} has to be cleaned {v}.;;Clean the {x} {v}.;;The {x} is checked {v}.;;The {x} must be inspected {v}.|How often must the {x} be cleaned?;;How often is the {x} checked?;;How often does the {x} have to be cleaned?|{V}.
event|date|The {x} is on {v}.;;The {x} takes place on {v}.;;Come to the {x} on {v}.;;On {v} there is the {x}.;;The {x} was moved to {v}.|When is the {x}?;;On which day is the {x}?;;What is the date of the {x}?|On {v}.
event|time|The {x} begins at {v}.;;The {x} starts at {v}.;;Doors open for the {x} at {v}.|When does the {x} begin?;;At what time does the {x} start?;;What time is the {x}?|At {v}.
place|time|{X} closes at {v}.;;{X} shuts at {v}.|When does {x} close?;;Until when is {x} open?;;What time does {x} shut?|At {v}.
place|time|{X} opens at {v}.|When does {x} open?;;From when is {x} open?;;What time does {x} open?|At {v}.
place|weekday|{X} is closed on {v}.;;{X} does not open on {v}.|On which day is {x} closed?;;When is {x} closed?|On {v}.
city|time|The bus to {x} leaves at {v}.;;The train to {x} goes at {v}.;;There is a bus to {x} at {v}.|When does the bus to {x} leave?;;At what time do I leave for {x}?;;When is there a bus to {x}?|At {v}.
city|platform|The train to {x} leaves from {v}.;;{X} is served from {v}.|From where does the train to {x} leave?;;Which platform is it for {x}?|From {v}.
colour|seconds|Press the {x} button for {v}.;;Hold the {x} button for {v}.;;The {x} button has to be pressed for {v}.|How long do I press the {x} button?;;For how long is the {x} button held?|For {v}.
odd|mail|Send the {x} to {v}.;;Questions about the {x} go to {v}.;;Write to {v} about the {x}.|Where do I send the {x}?;;Which address is for questions about the {x}?;;To which address do I write about the {x}?|{V}
problem2|phone|If {x}, call {v}.;;When {x}, the number is {v}.;;Call {v} if {x}.|Which number do I call if {x}?;;Whom do I call if {x}?|Call {v}.
problem2|company|If {x}, call {v}.;;When {x}, ask {v}.;;{V} helps if {x}.|Whom do I call if {x}?;;Which company helps if {x}?;;Who helps if {x}?|{V}.
odd|secret|The password of the {x} is {v}.;;The code for the {x} is {v}.;;The {x} opens with {v}.|What is the password of the {x}?;;Which code opens the {x}?;;What is the code for the {x}?|{V}
odd|weight|The {x} weighs {v}.;;The {x} holds {v}.|How heavy is the {x}?;;What does the {x} weigh?|{V}.
odd|material|The {x} is made of {v}.;;We make the {x} of {v}.|What is the {x} made of?;;Which material is the {x}?|The {x} is made of {v}.
person|city|{x} lives in {v}.;;{x} comes from {v}.;;{x} works in {v}.;;{x} moved to {v}.|Where does {x} live?;;In which city is {x}?;;Where is {x} from?|In {v}.
person|year|{x} was born in {v}.;;{x}, born in {v}, is a member.|When was {x} born?;;In which year was {x} born?|In {v}.
company|year|{x} was founded in {v}.;;{x} has existed since {v}.;;Since {v}, {x} has been in business.|When was {x} founded?;;Since when does {x} exist?|In {v}.
company|person|{x} was founded by {v}.;;{v} owns {x}.;;{v} is the head of {x}.|Who founded {x}?;;Who is behind {x}?;;Who owns {x}?|{V}.
odd|howlong|The {x} takes {v}.;;It takes {v} until the {x} is ready.;;The {x} is ready after {v}.;;Allow {v} for the {x}.|How long does the {x} take?;;How long until the {x} is ready?;;How long do I wait for the {x}?|It takes {v}.
odd|howlong|Money for the {x} is paid back within {v}.;;It takes {v} until you have the money for the {x} back.|How long does it take until I get my money for the {x}?;;When is the money for the {x} paid back?|It takes {v}.
odd|number|The number of the {x} is {v}.;;The {x} has the number {v}.|What is the number of the {x}?;;Which number does the {x} have?|{V}.
odd|count|There are {v} of the {x}.;;We have {v} of the {x}.;;The store has {v} of the {x}.|How many of the {x} are there?;;How many of the {x} do you have?|{V}.
place|count|{X} has room for {v} people.;;{v} people fit into {x}.;;{X} seats {v}.|How many people fit into {x}?;;How many people is {x} for?|{V}.
weekday|dish|On {x} there is {v}.;;{x}: {v}.;;We serve {v} on {x}.|What is there to eat on {x}?;;What is served on {x}?;;What is on the menu on {x}?|{V}.
person|task|{x} will {v}.;;{x} has to {v}.;;It is up to {x} to {v}.|What does {x} have to do?;;What is the task of {x}?|{x} has to {v}.
odd|deadline|The {x} must be back by {v}.;;Return the {x} by {v}.;;The {x} is due by {v}.|By when must the {x} be back?;;When is the {x} due?;;By when do I return the {x}?|By {v}.
role|leave|{A} {x} gets {v} of leave.;;Leave for {a} {x} is {v}.|How many days of leave does {a} {x} get?;;How much leave does {a} {x} have?|{V}.
role|money|{A} {x} earns {v}.;;The pay of {a} {x} is {v}.|What does {a} {x} earn?;;How much does {a} {x} get?|{V}.
odd|reading|The needle of the {x} should show {v}.;;Set the {x} to {v}.;;The {x} is to be kept at {v}.|What should the needle of the {x} show?;;To what is the {x} set?;;Which value should the {x} have?|{V}.
'''.strip().split('\n')
RELATIONS = [line.split('|') for line in RELATIONS]
# Whether something is allowed: sentences that say yes, that say no, questions.
ALLOWED = [
    (['The {x} may be exchanged.', 'You can exchange the {x}.'], ['The {x} cannot be exchanged.', 'There is no exchange for the {x}.'], ['Can I exchange the {x}?', 'Can the {x} be exchanged?'], 'the {x} can be exchanged', 'the {x} cannot be exchanged'),
    (['The {x} is allowed.', 'You may bring the {x}.'], ['The {x} is not allowed.', 'The {x} must stay at home.', 'Leave the {x} outside.'], ['May I bring the {x}?', 'Is the {x} allowed?'], 'the {x} is allowed', 'the {x} is not allowed'),
    (['The {x} is included.', 'The price includes the {x}.'], ['The {x} is not included.', 'The {x} costs extra.'], ['Is the {x} included?', 'Is the {x} in the price?'], 'the {x} is included', 'the {x} is not included'),
    (['The {x} is open to all.', 'Guests may use the {x}.'], ['The {x} is for members only.', 'Guests may not use the {x}.'], ['May guests use the {x}?'], 'guests may use the {x}', 'guests may not use the {x}'),
    (['The {x} works in the rain.', 'The {x} can stand water.'], ['The {x} must not get wet.', 'Keep the {x} dry.'], ['May the {x} get wet?', 'Can the {x} stand water?'], 'the {x} can get wet', 'the {x} must stay dry'),
]
OTHER = ['Who built the {x}?', 'What colour is the {x}?', 'How old is the {x}?', 'Where was the {x} made?', 'How tall is the {x}?', 'Who invented the {x}?', 'What did the {x} cost last year?', 'Is there a second {x}?', 'Who is the manager?', 'What is the telephone number of the manager?', 'When was this text written?', 'What is the Wi-Fi password?', 'May I bring my dog?', 'Do you have a branch in {city}?', 'Do you repair the {x}?', 'What does it cost to rent a {x}?', 'How much does a new {x} cost?', 'How many people work here?', 'Where can I park?', 'What is the salary?', 'Is there a discount for students?', 'Who is the owner?', 'When does the {x} end?', 'Do you also sell the {x}?', 'What is the weather like?']
PROBLEMS = 'the water pressure is too low|the filter is full|the door is open|the tank is empty|the battery is low|the paper is used up|the motor is too hot|the flue is blocked|the lamp is broken|the belt is loose|the fan does not turn|there is no connection|the card cannot be read|the valve is stuck|the oil is too old|the sensor is dirty|there is a leak|the fuse is blown|the memory is full'.split('|')
OFTEN = 'twice a year|once a week|every month|every two years|three times a day|once a year|every morning|every 500 hours|daily|every other day|four times a year|on the first day of the month|after each use'.split('|')
LONG = 'about a week|two hours|three working days|ten minutes|half an hour|up to six weeks|a month|one day|45 minutes|two to three days|a quarter of an hour|less than a minute|at least four weeks'.split('|')


def made(words, kind):
    if kind == 'code':
        return f'{words.pick("ABCEFHPRSTX")}{words.random.randint(1, 99)}'
    if kind in ('problem', 'problem2'):
        return words.pick(PROBLEMS)
    if kind == 'days':
        return words.pick([f'{words.random.randint(2, 120)} days', f'{words.few()} weeks', f'{words.few()} months'])
    if kind == 'event':
        return fill(words, '{occasion}')[0][0]
    pools = {
        'often': OFTEN, 'howlong': LONG, 'weekday': 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(), 'material': 'steel oak cotton glass bamboo leather copper wool clay tin'.split(),
        'dish': 'soup|fish|pasta|rice with beans|pancakes|potato salad|pizza|stew|noodles|curry|omelette|dumplings'.split('|'),
    }
    if kind in pools:
        return words.pick(pools[kind])
    chance = words.random.randint
    made_up = {
        'platform': lambda: f'platform {chance(1, 20)}', 'seconds': lambda: f'{words.few()} seconds', 'secret': lambda: words.pick([str(chance(1000, 9999)), words.name().lower() + str(chance(1, 99)), f'{chance(10, 99)}-{chance(10, 99)}']), 'weight': lambda: f'{chance(1, 90)}{words.pick(["", ".5", ".2"])} {words.pick(["kg", "g", "tons"])}',
        'year': lambda: str(chance(1850, 2022)), 'deadline': lambda: words.pick([words.date(), words.time(), words.day(), 'noon of the last day', 'the end of the month', f'{words.day()} evening']), 'leave': lambda: f'{chance(18, 36)} days', 'money': lambda: f'{words.amount(900, 9000)} a month',
        'reading': lambda: f'{chance(1, 90)}{words.pick(["", ".5", ".2"])} {words.pick(["bar", "degrees", "percent", "volts"])}',
    }
    return made_up[kind]() if kind in made_up else fill(words, '{' + kind + '}')[0][0]


def filled(text, x, v=''):
    article = 'an' if x[:1] in 'aeiou' else 'a'
    upper = lambda part: part[:1].upper() + part[1:]
    return text.format(x=x, v=v, X=upper(x), V=upper(v), a=article, A=upper(article))


def free_passage(words):
    """(sentences, [(questions, answers)], questions that it does not answer)."""
    texts, asked, silent = [], [], []
    taken = words.random.sample(RELATIONS, words.random.randint(1, 4))
    for of, kind, sentences, questions, whole in taken:
        subjects = list(dict.fromkeys(made(words, of) for _ in range(words.pick([2, 2, 3, 4]))))
        known = subjects if len(subjects) == 1 else subjects[:-1]
        for x in known[: words.pick([1, 1, 2, 3])]:
            v = made(words, kind)
            texts.append(sentence(filled(words.pick(sentences.split(';;')), x, v)))
            plain = filled('{V}', x, v)
            answer = words.pick([plain if plain.endswith('.') or '@' in plain else f'{plain}.', sentence(filled(whole, x, v)) if '@' not in whole else plain])
            asked.append(([filled(question, x, v) for question in questions.split(';;')], answer))
        if len(subjects) > 1:
            silent += [filled(question, subjects[-1]) for question in questions.split(';;')]
        # What is known of one thing is asked of another relation.
        others = [relation for relation in RELATIONS if relation[0] == of and all(relation[1] != own[1] for own in taken)]
        if others:
            silent += [filled(question, known[0]) for question in words.pick(others)[3].split(';;')]
    if words.chance(0.35):
        yes, no, questions, said_yes, said_no = words.pick(ALLOWED)
        things = list(dict.fromkeys(words.odd() for _ in range(3)))
        for x, may in zip(things[: words.pick([1, 2])], [words.chance(0.5), words.chance(0.5)]):
            texts.append(filled(words.pick(yes if may else no), x))
            asked.append(([filled(question, x) for question in questions], f'{"Yes" if may else "No"}, {filled(said_yes if may else said_no, x)}.'))
        silent += [filled(question, things[-1]) for question in questions] if len(things) == 3 else []
    whole = ' '.join(texts)
    silent += [question for question in (fill(words, words.pick(OTHER).replace('{x}', '{odd}'))[0][0] for _ in range(2))]
    words.random.shuffle(texts)
    extra = type(words).sentences
    for _ in range(words.pick([0, 0, 0, 1, 2])):
        if extra:
            texts.insert(words.random.randint(0, len(texts)), words.pick(extra) + '.')
    return joined(words, texts), asked, [question for question in silent if question not in whole]


def joined(words, texts):
    """Some sentences become one, as in texts that people write."""
    made_of = []
    for text in texts:
        if made_of and words.chance(0.15) and made_of[-1].endswith('.') and text.split(' ')[0] in ('The', 'You', 'We', 'For', 'If', 'Press', 'Clean', 'Send', 'Call', 'A', 'On', 'Set', 'It', 'There'):
            made_of[-1] = f'{made_of[-1][:-1]}{words.pick(["; ", ", and ", "; ", ", but "])}{text[0].lower() + text[1:]}'
        else:
            made_of.append(text)
    return made_of
