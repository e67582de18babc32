"""Names, places, things, amounts and days that the generators draw from."""

import datetime

FIRST = '''Anna Ben Carla David Elena Farid Greta Hugo Ines Jonas Karin Liam Maria Noah Olga Paul Quinn Rosa Samuel Tara Umar Vera Walter Xenia Yusuf Zoe Amelia Boris
Chloe Dmitri Emma Felix Giulia Hanna Ivan Julia Kenji Laura Mohammed Nadia Oliver Priya Rafael Sofia Thomas Ursula Victor Wendy Aisha Bruno Camille Diego Esther Frank
George Helen Isaac Jane Kofi Lucy Martin Nina Oscar Petra Ravi Sarah Tom Valentina William Yara Adam Bella Chen Daniel Eva Fatima Gabriel Holly Ian Jasmine Kevin Lea
Mark Naomi Owen Paula Ruth Simon Teresa Vincent Mei Akira Sven Ingrid Lars Freya Marek Zofia Pedro Lucia Andre Beatriz Omar Layla Nikhil Anjali'''.split()
LAST = '''Smith Miller Brown Garcia Rossi Novak Schmidt Weber Dubois Laurent Kowalski Nowak Andersson Hansen Jensen Lopez Martinez Silva Santos Costa Ferrari Romano Bianchi
Murphy Kelly O'Brien Walker Wright Green Baker Cooper Turner Hill Ward Morgan Reed Bailey Fischer Becker Hoffmann Keller Vogel Huber Meier Okafor Mensah Diallo Nguyen Tran
Kim Park Lee Chen Wang Li Tanaka Sato Suzuki Patel Sharma Singh Khan Ahmed Hassan Haddad Cohen Levi Petrov Ivanova Popescu Horvat Kovacs Virtanen Lindberg Berg Dahl Jones
Taylor Davies Evans Thomas Roberts Johnson Williams Clark Lewis Young King Scott Adams Nelson Carter Mitchell Perez Torres Rivera Moreau Lefevre Girard de_Vries Bakker Visser Janssen'''.replace('de_Vries', 'de~Vries').split()
LAST = [name.replace('~', ' ') for name in LAST]
CITY = '''London Paris Berlin Madrid Rome Vienna Oslo Lisbon Dublin Prague Warsaw Zurich Geneva Brussels Amsterdam Copenhagen Stockholm Helsinki Athens Budapest Hamburg Munich
Cologne Lyon Marseille Porto Seville Valencia Milan Naples Turin Krakow Gdansk Leeds Bristol York Oxford Cambridge Glasgow Edinburgh Cardiff Boston Chicago Denver Seattle Austin
Portland Toronto Montreal Vancouver Sydney Melbourne Perth Auckland Tokyo Osaka Kyoto Seoul Mumbai Delhi Nairobi Lagos Cairo Istanbul Dubai Singapore Bangkok Lima Bogota Santiago'''.split()
COUNTRY = '''France Germany Italy Spain Portugal Poland Norway Sweden Denmark Finland Ireland Austria Belgium Greece Hungary Canada Australia Japan India Brazil Mexico Argentina Chile Peru
Kenya Nigeria Egypt Turkey Thailand Vietnam Indonesia Iceland Croatia Romania Morocco'''.split()
STREET = '''Station Road|High Street|Park Lane|Mill Street|Church Road|Market Square|Oak Avenue|Garden Street|Bridge Street|King Street|Harbour Road|Hill Street|School Lane|River Walk|
Elm Street|Main Street|Queen Street|Forest Road|Castle Street|Lake View|Victoria Road|Long Lane|Abbey Street|North Street|Orchard Close|Sunset Boulevard|Maple Drive|Rose Lane'''.replace('\n', '').split('|')
TRADE = '''Bakery Books Garden Motors Software Consulting Design Furniture Printing Travel Electric Plumbing Foods Pharmacy Logistics Studio Dental Cycles Flowers Optics Energy
Legal Media Textiles Tools Coffee Films Sports Music Cleaning Roofing Architects Insurance Catering Translations Events'''.split()
COMPANY_END = ['Ltd', 'GmbH', 'Inc.', 'LLC', 'SA', 'AG', '& Sons', '& Co', 'Group', '', '', '']
THING = '''desk lamp|office chair|printer|laptop|keyboard|monitor|bicycle|helmet|garden table|coffee machine|kettle|toaster|vacuum cleaner|washing machine|fridge|sofa|bookshelf|carpet|mirror|
tent|sleeping bag|backpack|rain jacket|pair of shoes|camera|tripod|headphones|phone|phone case|charger|power bank|speaker|guitar|violin|piano stool|drill|hammer|ladder|paint roller|
toolbox|water filter|solar panel|battery|router|network cable|projector|whiteboard|notebook|pack of pens|stapler|paper shredder|box of envelopes|coffee beans|green tea|olive oil|
flour|honey|chocolate|wine glasses|dinner plates|pan|knife set|cutting board|blender|hair dryer|towel set|bed sheets|pillow|curtains|wall clock|picture frame|vase|candle|plant pot|
lawn mower|hose|watering can|bird house|dog bed|cat food|fish tank|yoga mat|dumbbells|tennis racket|football|skis|swimming goggles|board game|puzzle|doll|toy train|stroller'''.replace('\n', '').split('|')
SERVICE = '''window cleaning|website design|garden work|translation of a contract|roof repair|tax advice|photo session|piano lesson|language course|logo design|car repair|bicycle repair|
house painting|data backup|server maintenance|catering for 20 people|room hire|delivery|installation|consulting hours|proofreading|bookkeeping|training day|legal advice|heating service|
carpet cleaning|tree cutting|moving service|video editing|printing of flyers'''.replace('\n', '').split('|')
FOOD = '''milk|bread|eggs|butter|apples|bananas|tomatoes|potatoes|rice|pasta|cheese|yoghurt|onions|carrots|chicken|fish|salt|sugar|coffee|tea|orange juice|lettuce|garlic|lemons|oats|beans|
spinach|mushrooms|peppers|cucumbers|strawberries|grapes|ham|jam|water|biscuits'''.replace('\n', '').split('|')
PACK = '''passport|tickets|sun cream|toothbrush|socks|rain coat|phone charger|first aid kit|water bottle|torch|map|hat|swimwear|camera|book|snacks|sunglasses|towel|gloves|scarf|sleeping bag|
headlamp|pocket knife|medicine|umbrella|earplugs|notebook|pen|laptop|walking boots'''.replace('\n', '').split('|')
TASK = '''water the plants|feed the cat|clean the kitchen|send the report|call the bank|book the train|order new paper|update the website|check the alarm|empty the bins|pay the rent|
back up the server|renew the insurance|test the printer|write the minutes|prepare the slides|collect the keys|lock the doors|close the windows|charge the radios|inform the neighbours|
sign the contract|review the budget|answer the e-mails|clean the coffee machine|count the stock|repair the fence|paint the door|wash the car|order the cake|invite the guests|
set the table|rent a van|measure the room|buy the tickets|check the tyres'''.replace('\n', '').split('|')
ROLE = '''manager|teacher|nurse|engineer|accountant|driver|chef|secretary|designer|developer|director|librarian|electrician|sales assistant|doctor|receptionist|gardener|lawyer|architect|caretaker'''.split('|')
TOPIC = '''the new website|the summer party|the budget|parking|the office move|the school trip|safety at work|the new software|holiday planning|customer complaints|the product launch|
energy costs|the library hours|staff training|the annual report|recycling|the sports day|the heating system|the concert|home office rules|the marketing plan|the kitchen renovation|
volunteers|the bus timetable|membership fees|the garden project|data protection|the open day|quality checks|delivery times'''.replace('\n', '').split('|')
PLACE = '''the town hall|the main office|room 12|the community centre|the school gym|the library|the canteen|the city park|the church hall|the sports club|the conference room|the museum|
the old mill|the beach cafe|the hotel lobby|the garden house|meeting room B|the theatre|the fire station|the youth centre'''.replace('\n', '').split('|')
OCCASION = '''birthday party|wedding|garden party|farewell party|housewarming|concert|exhibition|summer barbecue|company dinner|workshop|school play|book reading|graduation party|anniversary dinner|
charity run|wine tasting|film night|open day|christening|retirement party'''.replace('\n', '').split('|')
COURSE = '''first aid|project management|basic accounting|swimming|web design|German for beginners|fire safety|public speaking|photography|data analysis|food hygiene|yoga teaching|welding|
sign language|chess|pottery|digital marketing|bread baking|cyber security|beekeeping'''.replace('\n', '').split('|')
PET = 'cat dog parrot rabbit hamster tortoise'.split()
COLOUR = 'black white grey brown red blue green yellow orange silver'.split()
MONTHS = 'January February March April May June July August September October November December'.split()
DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()
SYMBOLS = {'EUR': '€', 'USD': '$', 'GBP': '£'}
SYLLABLES = 'ba be bo bri ca cha co cro da de do dra el en er fa fe fi fo ga ge gra ha he ho hu ing ja ka ke ki ko la le li lo lun ma me mi mo na ne ni no o ol or pa pe pra ra re ri ro sa se sha sko so sta ta te thi to tri u va ve vi wa we wil wy ya za zo'.split()
ENDINGS = 'n s r t l d ck m ng sen ski man son berg ova ez ini eau ley ford wick mann dottir stad'.split()
WORDS = """amber anchor apple apron arch arrow ash attic autumn axle bamboo barn basket beacon bench berry birch blanket bolt bonnet border bottle bowl brass bridge broom bucket button cabin cable candle canvas
carpet castle cedar cellar chalk chimney cider clay cliff clover coal copper coral cotton crane cream crystal curtain dairy daisy dawn deck desert dome door dragon drum dust eagle echo elm engine falcon feather fence
fern ferry field flint flute fog forest fountain fox frame garden garlic gate ginger glass globe granite grape gravel hammer harbour hazel hedge heron hill honey horn ice ink iron island ivory ivy jar jasmine kettle
ladder lake lamp lantern leather lemon library lighthouse lily linen lion lotus magnet maple marble market meadow mill mint mirror moss motor mountain mustard needle nest oak oat ocean olive onion orchard otter oven owl
paddle paper parcel pearl pebble pepper pier pigeon pilot pine pipe planet plum pocket pond poppy quarry quilt rabbit radio rail rain raven reed ribbon ridge river robin rocket roof rope rose ruby saddle sail salmon
salt sand satin scarf school shell shield ship shoe silk silver sledge snow sofa spoon spring spruce squash stable star steel stone storm straw stream sugar summer sunset swan table tartan tea temple thistle thread
thunder tiger timber tower tractor trail tram trumpet tulip tunnel turbine valley velvet village vine violet wagon walnut water wax whale wheat willow window winter wolf wood wool zebra""".split()
SHAPES = 'old new small large green blue red round heavy light quiet northern southern upper lower double spare used broken folding electric wooden open second main weekly early late free'.split()
VERBS = 'check clean repair replace order collect return paint measure inspect move remove label sort test sell weigh open close cover print scan file book hang fold store'.split()

# Entries beside those of the lists, made of chance: a list that is learned by heart teaches to write what it has, and not what was said.
MADE = {
    id(FIRST): lambda w: w.name(), id(LAST): lambda w: w.name(), id(CITY): lambda w: w.name() + w.pick(['', '', '', ' Hill', 'ville', ' Bay', ' am See', ' Town']), id(THING): lambda w: w.odd(), id(FOOD): lambda w: w.odd(), id(PACK): lambda w: w.odd(),
    id(SERVICE): lambda w: w.pick([f'{w.pick(WORDS)} {w.pick(["service", "repair", "cleaning", "delivery", "hire", "inspection"])}', f'repair of the {w.odd()}', f'{w.random.randint(2, 20)} hours of {w.pick(WORDS)} work']),
    id(TASK): lambda w: f'{w.pick(VERBS)} the {w.odd()}', id(TOPIC): lambda w: f'the {w.odd()}', id(PLACE): lambda w: w.pick([f'the {w.pick(WORDS)} {w.pick(["hall", "room", "house", "centre", "garden", "office"])}', f'room {w.random.randint(1, 9)}.{w.random.randint(1, 30):02}', f'{w.name()} House', f'hall {w.pick("ABCDEFG")}']),
    id(OCCASION): lambda w: f'{w.pick(WORDS)} {w.pick(["festival", "party", "day", "fair", "dinner", "evening", "meeting", "market"])}', id(COURSE): lambda w: f'{w.pick(WORDS)} {w.pick(["care", "work", "training", "design", "safety", "cooking", "repair"])}', id(ROLE): lambda w: f'{w.pick(WORDS)} {w.pick(["inspector", "manager", "trainer", "clerk", "guide", "buyer", "keeper"])}',
}


class Words:
    """Draws words with one source of chance, so that a seed gives the same text."""

    # Short sentences of ordinary texts, where there are some.
    sentences = ()

    def __init__(self, random):
        self.random = random
        self.currency = random.choice(['EUR', 'EUR', 'USD', 'GBP', 'CHF'])
        self.day_form = random.choice(['{d} {m} {y}', '{d} {m} {y}', '{m} {d}, {y}', '{y}-{n:02}-{d:02}', '{d:02}/{n:02}/{y}', '{d}.{n}.{y}', '{d} {m}', '{m} {d}'])
        self.clock = random.choice(['24', '24', '12'])
        # Some examples have only what is in the lists.
        self.made = random.choice([0, 0.2, 0.5])

    def pick(self, pool):
        if self.made and id(pool) in MADE and self.random.random() < self.made:
            return MADE[id(pool)](self)
        return self.random.choice(pool)

    def some(self, pool, least, most):
        chosen = self.random.sample(pool, min(len(pool), self.random.randint(least, most)))
        if self.made and id(pool) in MADE:
            chosen = list(dict.fromkeys(MADE[id(pool)](self) if self.random.random() < self.made else each for each in chosen))
        return chosen

    def name(self):
        """A name that stands in no list."""
        text = ''.join(self.random.choice(SYLLABLES) for _ in range(self.random.choice([1, 2, 2, 3]))) + self.random.choice(ENDINGS)
        return text.capitalize() if len(text) > 3 else text.capitalize() + self.random.choice(ENDINGS)

    def odd(self):
        """A thing that stands in no list."""
        word = self.random.choice(WORDS)
        return self.random.choice([f'{word} {self.random.choice(WORDS)}', f'{self.random.choice(SHAPES)} {word}', f'{self.random.choice(SHAPES)} {word} {self.random.choice(WORDS)}', word])

    def chance(self, share):
        return self.random.random() < share

    def first(self):
        return self.pick(FIRST)

    def person(self):
        first, last = self.pick(FIRST), self.pick(LAST)
        if self.made and self.chance(0.15):
            return self.pick([f'{first[0]}. {last}', f'{first} {self.pick("ABCDEFGHJKLMRST")}. {last}', f'{first} {last}-{self.pick(LAST)}', f'{first}-{self.pick(FIRST)} {last}'])
        return f'{first} {last}'

    def titled(self):
        title = self.pick(['Ms.', 'Mr.', 'Mrs.', 'Dr.', 'Ms', 'Mr', 'Professor'])
        return f'{title} {self.pick(LAST)}'

    def company(self):
        if self.made and self.chance(0.35):
            one, two = self.pick(WORDS).capitalize(), self.pick(WORDS).capitalize()
            return self.pick([f'{one} & {two}', f'{one}{two.lower()}', f'The {one} {two}', f'{one} {self.pick(TRADE)}', f'{self.name()} {self.pick(TRADE)}', f'{self.name()} & {self.name()}', f'{one} {two} {self.pick(COMPANY_END)}'.strip(), f'{self.name()} {self.pick(["School", "Clinic", "Club", "Rail", "Council", "Library", "Airport", "Hotel"])}'])
        name = self.pick([self.pick(LAST), self.pick(CITY), self.pick(['Blue', 'Green', 'North', 'Sun', 'Star', 'Alpha', 'River', 'Nova', 'Bright', 'Terra', 'Peak', 'Delta'])])
        return f'{name} {self.pick(TRADE)} {self.pick(COMPANY_END)}'.strip()

    def address(self):
        number, street, city = self.random.randint(1, 180), self.pick(STREET), self.pick(CITY)
        if self.made and self.chance(0.5):
            street = f'{self.pick([*WORDS, self.name()]).capitalize()} {self.pick(["Road", "Street", "Way", "Lane", "Close", "Avenue", "Court", "Square"])}'
            code = self.pick([f'{self.pick("ABDEGHLMNST")}{self.pick("ABDEHLNS")}{self.random.randint(1, 20)} {self.random.randint(1, 9)}{self.pick("ABDEGHJ")}{self.pick("ABDEGHJ")}', str(self.random.randint(1000, 99999))])
            return self.pick([f'{number} {street}', f'{number} {street}', f'{number}{self.pick("abc")} {street}, {city}', f'{street} {number}, {code} {city}', f'{number} {street}, {city} {code}', f'Flat {self.random.randint(1, 40)}, {number} {street}, {city}'])
        return f'{number} {street}, {self.random.randint(1000, 99999)} {city}'

    def amount(self, least=5, most=3000):
        value = self.random.randint(least, most)
        text = f'{value:,}' if self.chance(0.5) else str(value)
        if self.chance(0.45):
            text += f'.{self.random.choice(["00", "50", "99", "90", "20", f"{self.random.randint(0, 99):02}"])}'
        symbol = SYMBOLS.get(self.currency)
        forms = [f'{text} {self.currency}', f'{self.currency} {text}']
        if symbol:
            forms += [f'{symbol}{text}', f'{symbol}{text}', f'{text} {symbol}']
        forms.append(f'{text} ' + {'EUR': 'euros', 'USD': 'dollars', 'GBP': 'pounds', 'CHF': 'francs'}[self.currency])
        return self.pick(forms)

    def date(self):
        day = datetime.date(2023, 1, 1) + datetime.timedelta(days=self.random.randint(0, 1800))
        if self.made and self.chance(0.25):
            end = {1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st'}.get(day.day, 'th')
            month = MONTHS[day.month - 1]
            return self.pick([f'{day.day}{end} of {month}', f'{month} {day.day}{end}', f'{month} {day.day}{end}, {day.year}', f'{day.day} {month[:3]} {day.year}', f'{DAYS[day.weekday()]}, {day.day} {month}', f'{DAYS[day.weekday()]} {day.day} {month} {day.year}', f'{day.day}/{day.month}/{day.year % 100:02}', f'{day.day:02}.{day.month:02}.{day.year}', f'{month} {day.year}'])
        return self.day_form.format(d=day.day, m=MONTHS[day.month - 1], n=day.month, y=day.year)

    def street(self):
        return self.pick(STREET)

    def few(self):
        return self.pick(['two', 'three', 'four', 'five', 'six', 'seven', 'ten', '2', '3', '4', '5', '8', '12'])

    def day(self):
        return self.pick(DAYS)

    def time(self):
        hour, minute = self.random.randint(7, 21), self.random.choice([0, 0, 0, 15, 30, 30, 45])
        if self.made and self.chance(0.3):
            if self.chance(0.5):
                return self.pick(['noon', 'midnight', 'half past nine', 'half past six', 'quarter past ten', 'a quarter to four', f"{self.random.randint(1, 12)} o'clock", f'{self.random.randint(1, 12)}pm', f'{self.random.randint(1, 12)}am', f'{self.random.randint(1, 12)} p.m.', f'{hour} h', f'{hour}h{minute:02}'])
            minute = self.random.randint(0, 59)
        if self.clock == '24':
            return f'{hour}:{minute:02}'
        end = 'am' if hour < 12 else 'pm'
        small = hour if hour <= 12 else hour - 12
        return f'{small} {end}' if minute == 0 else f'{small}:{minute:02} {end}'

    def phone(self):
        if self.made and self.chance(0.5):
            digits = lambda count: ''.join(self.random.choice('0123456789') for _ in range(count))
            return self.pick([f'0{digits(4)} {digits(6)}', f'({digits(3)}) 555-{digits(4)}', f'+{self.random.randint(1, 99)} {digits(3)} {digits(4)} {digits(2)}', f'0{digits(3)}/{digits(6)}', f'extension {digits(3)}', f'0{digits(2)} {digits(2)} {digits(2)} {digits(2)}', f'555-{digits(4)}'])
        return self.pick(['+44 20 7946 0', '+49 30 555 0', '+1 555 01', '0171 55 0', '+33 1 55 00 ']) + str(self.random.randint(100, 999))

    def mail(self):
        if self.made and self.chance(0.5):
            one, two = self.pick(WORDS), self.pick(WORDS)
            return f'{self.pick(["info", "office", "hello", one, self.name().lower(), f"{self.name().lower()}.{self.name().lower()}", f"{one}{self.random.randint(1, 99)}"])}@{self.pick([f"{one}-{two}.example", f"{two}.example", f"{one}{two}.example.net"])}'
        return f'{self.pick(FIRST).lower()}@{self.pick(["example.com", "example.org", "mail.example", "office.example"])}'

    def number(self, prefix=None):
        if prefix is None and self.made and self.chance(0.35):
            letters = ''.join(self.random.choice('ABCDEFGHJKLMNPRSTUVWXZ') for _ in range(self.random.randint(1, 3)))
            return self.pick([f'{letters}-{self.random.randint(10, 9999)}', f'{letters}{self.random.randint(100, 999999)}', f'{self.random.randint(2019, 2027)}/{self.random.randint(1, 999):03}', f'{letters}-{self.random.randint(10, 99)}-{self.random.randint(100, 999)}', f'#{self.random.randint(100, 99999)}', f'{self.random.randint(10, 99)}-{self.random.randint(1000, 9999)}/{letters[0]}'])
        prefix = self.pick(['', 'INV-', 'R-', 'A', '2024-', '2025-', 'No. ', 'K', 'B-']) if prefix is None else prefix
        return f'{prefix}{self.random.randint(100, 99999)}'
