"""Things that are commonly known, in tables, so that one line gives several questions."""

OPPOSITES = 'empty full;hot cold;big small;early late;old young;fast slow;high low;open closed;light dark;strong weak;rich poor;wet dry;hard soft;long short;near far;loud quiet;thick thin;clean dirty;happy sad;true false;left right;up down;day night;begin end;buy sell;win lose;push pull;cheap expensive;easy difficult;same different;first last;before after;inside outside;love hate;wide narrow;deep shallow;heavy light;sweet bitter;brave cowardly;polite rude'
OPPOSITES = [pair.split(' ') for pair in OPPOSITES.split(';')]
SHORT = '''HTTP Hypertext Transfer Protocol;HTML Hypertext Markup Language;CSS Cascading Style Sheets;PDF Portable Document Format;CPU central processing unit;GPU graphics processing unit;RAM random access memory;URL Uniform Resource Locator;API application programming interface;USB Universal Serial Bus;JSON JavaScript Object Notation;SQL Structured Query Language;
XML Extensible Markup Language;DNS Domain Name System;IP Internet Protocol;LAN local area network;VPN virtual private network;AI artificial intelligence;EU European Union;UN United Nations;USA United States of America;UK United Kingdom;NASA National Aeronautics and Space Administration;DNA deoxyribonucleic acid;ATM automated teller machine;VAT value added tax;
CEO chief executive officer;FAQ frequently asked questions;PIN personal identification number;GPS Global Positioning System;TCP Transmission Control Protocol;FTP File Transfer Protocol;SSH Secure Shell;OCR optical character recognition;LED light-emitting diode;RSVP répondez s'il vous plaît;ETA estimated time of arrival;DIY do it yourself'''.replace('\n', '')
SHORT = [entry.split(' ', 1) for entry in SHORT.split(';')]
WRITERS = '''Hamlet|William Shakespeare;Macbeth|William Shakespeare;Romeo and Juliet|William Shakespeare;Othello|William Shakespeare;Faust|Johann Wolfgang von Goethe;Don Quixote|Miguel de Cervantes;War and Peace|Leo Tolstoy;Anna Karenina|Leo Tolstoy;Crime and Punishment|Fyodor Dostoevsky;Pride and Prejudice|Jane Austen;Emma|Jane Austen;
Oliver Twist|Charles Dickens;A Christmas Carol|Charles Dickens;Moby Dick|Herman Melville;Ulysses|James Joyce;1984|George Orwell;Animal Farm|George Orwell;The Odyssey|Homer;The Iliad|Homer;Dracula|Bram Stoker;Frankenstein|Mary Shelley;The Hobbit|J. R. R. Tolkien;Harry Potter|J. K. Rowling;The Metamorphosis|Franz Kafka;The Trial|Franz Kafka;
Les Misérables|Victor Hugo;Tom Sawyer|Mark Twain;Jane Eyre|Charlotte Brontë;Wuthering Heights|Emily Brontë;The Little Prince|Antoine de Saint-Exupéry;Treasure Island|Robert Louis Stevenson;Pippi Longstocking|Astrid Lindgren;The Divine Comedy|Dante Alighieri'''.replace('\n', '')
WRITERS = [entry.split('|') for entry in WRITERS.split(';')]
MOST = '''largest country in the world|Russia;smallest country in the world|Vatican City;largest continent|Asia;smallest continent|Australia;largest ocean|The Pacific Ocean;largest planet|Jupiter;smallest planet|Mercury;hottest planet|Venus;longest river in Africa|The Nile;longest river in South America|The Amazon;highest mountain in the world|Mount Everest;
highest mountain in the Alps|Mont Blanc;highest mountain in Africa|Kilimanjaro;largest desert|Antarctica;largest hot desert|The Sahara;deepest ocean|The Pacific Ocean;largest lake in Africa|Lake Victoria;deepest lake|Lake Baikal;largest animal|The blue whale;tallest animal|The giraffe;fastest land animal|The cheetah;largest bird|The ostrich;
largest island|Greenland;largest city in the United States|New York;largest city in Germany|Berlin;hardest natural material|Diamond;lightest element|Hydrogen;closest planet to the Sun|Mercury;largest state of the United States|Alaska;most spoken language in South America|Spanish'''.replace('\n', '')
MOST = [entry.split('|') for entry in MOST.split(';')]
DAYS_OF = {'January': 31, 'March': 31, 'April': 30, 'May': 31, 'June': 30, 'July': 31, 'August': 31, 'September': 30, 'October': 31, 'November': 30, 'December': 31}
MIXED = [('blue', 'yellow', 'green'), ('red', 'yellow', 'orange'), ('red', 'blue', 'purple'), ('black', 'white', 'grey'), ('red', 'white', 'pink')]
KINDS = '''whale mammal;dolphin mammal;bat mammal;shark fish;salmon fish;penguin bird;ostrich bird;frog amphibian;snake reptile;crocodile reptile;turtle reptile;spider arachnid;bee insect;ant insect;dog mammal;horse mammal;trout fish;eagle bird;lizard reptile;butterfly insect'''.split(';')
KINDS = [entry.split(' ') for entry in KINDS]
MADE_OF = 'glass|sand;paper|wood;bread|flour, water, salt and yeast;cheese|milk;butter|cream;steel|iron and carbon;bronze|copper and tin;salt|sodium and chlorine;wine|grapes;chocolate|cocoa beans;air|mostly nitrogen and oxygen;ice|frozen water;leather|animal skin;diamond|carbon'.split(';')
MADE_OF = [entry.split('|') for entry in MADE_OF]
PER = [('minutes', 'hour', 60), ('seconds', 'minute', 60), ('hours', 'day', 24), ('days', 'week', 7), ('months', 'year', 12), ('metres', 'kilometre', 1000), ('centimetres', 'metre', 100), ('grams', 'kilogram', 1000), ('weeks', 'year', 52), ('years', 'century', 100), ('years', 'decade', 10)]
COUNTED = ['two', 'three', 'four', 'five', 'six', 'ten']
COUNTS = [2, 3, 4, 5, 6, 10]


def opposite(words):
    one, two = words.pick(OPPOSITES)
    if words.chance(0.5):
        one, two = two, one
    return words.pick([f'What is the opposite of {one}?', f'What is the opposite of "{one}"?', f'Opposite of {one}?']), words.pick([f'{two.capitalize()}.', f'The opposite of {one} is {two}.'])


def stands_for(words):
    short, long = words.pick(SHORT)
    return words.pick([f'What does {short} stand for?', f'What does {short} mean?', f'{short} stands for what?', f'What is {short} short for?']), words.pick([f'{long[0].upper()}{long[1:]}.', f'{short} stands for {long}.'])


def writer(words):
    work, author = words.pick(WRITERS)
    return words.pick([f'Who wrote {work}?', f'Who is the author of {work}?', f'{work} was written by whom?']), words.pick([f'{author}.'.replace('..', '.'), f'{author} wrote {work}.'])


def most(words):
    what, answer = words.pick(MOST)
    return words.pick([f'What is the {what}?', f'Which is the {what}?', f'Tell me the {what}.', f'{what}?']), f'{answer}.'


def month_days(words):
    month = words.pick([*DAYS_OF, 'February'])
    answer = 'February has 28 days, and 29 in a leap year.' if month == 'February' else words.pick([f'{DAYS_OF[month]}.', f'{month} has {DAYS_OF[month]} days.'])
    return words.pick([f'How many days does {month} have?', f'How many days are in {month}?', f'How long is {month}?']), answer


def mixed(words):
    one, two, result = words.pick(MIXED)
    return words.pick([f'What do {one} and {two} make?', f'Which colour do I get from {two} and {one}?', f'Mix {one} and {two}. What color is it?']), f'{result.capitalize()}.'


def animal_kind(words):
    animal, kind = words.pick(KINDS)
    article = lambda word: f'{"an" if word[0] in "aeio" else "a"} {word}'
    asked = words.pick(KINDS)[1]
    if words.chance(0.3):
        return f'What kind of animal is {article(animal)}?', f'{article(animal).capitalize()} is {article(kind)}.'
    return f'Is {article(animal)} {article(asked)}?', f'Yes, {article(animal)} is {article(kind)}.' if asked == kind else f'No, {article(animal)} is {article(kind)}.'


def made_of(words):
    thing, of = words.pick(MADE_OF)
    return words.pick([f'What is {thing} made of?', f'What is {thing} made from?']), words.pick([f'{of.capitalize()}.', f'{thing.capitalize()} is made of {of}.'])


def per(words):
    small, large, number = words.pick(PER)
    many = words.random.randint(0, 5)
    if words.chance(0.4) or number in (52, 100, 1000):
        return words.pick([f'How many {small} are in {"an" if large == "hour" else "a"} {large}?', f'How many {small} has {"an" if large == "hour" else "a"} {large}?']), words.pick([f'{number:,}.', f'{"An" if large == "hour" else "A"} {large} has {number:,} {small}.'])
    plural = 'centuries' if large == 'century' else f'{large}s'
    return words.pick([f'How many {small} are in {COUNTED[many]} {plural}?', f'How many {small} are {COUNTS[many]} {plural}?']), f'{number * COUNTS[many]:,}.'


def now(words):
    """What a model without clock and network cannot know."""
    city, thing = words.pick(['Paris', 'London', 'my city', 'Tokyo', words.name()]), words.pick(['Apple', 'gold', 'oil', 'Tesla'])
    asked = words.pick([f'What is the weather in {city}?', f'Will it rain in {city} tomorrow?', 'What day is it today?', 'What is the date?', f'What time is it in {city}?', 'What time is it?', f'What is the price of {thing} today?', 'Who won the match yesterday?', f'How warm is it in {city} now?', f'What is the traffic like in {city}?'])
    return asked, 'I cannot know that: I have no clock and no access to the internet.'


TABLES = [opposite, stands_for, writer, most, month_days, mixed, animal_kind, made_of, per, now]


def table_fact(words):
    return words.pick(TABLES)(words)
