"""Small talk, simple facts, rewrites and summaries: brief and plain, in the language of the question."""

from statements import sentence, stated, told
from talk_facts import table_fact
from tokens import chat_prompt
from words import CITY, DAYS, FIRST, FOOD, MONTHS, TASK, THING

# Questions ; answers, each any of several.
PAIRS = '''
Hi!/Hi/Hello/Hello!/Hey/Hey there/Good day/Greetings|Hello! How can I help you?/Hi! What can I do for you?
Good morning/Good morning!|Good morning! How can I help you?
Good evening/Good evening!|Good evening! What can I do for you?
Good night/Good night!|Good night! Sleep well.
How are you?/How are you doing?/How is it going?/What's up?/How are you today?|I am fine, thank you. How can I help you?/Fine, thanks! What can I do for you?
Thanks!/Thank you!/Thank you very much/Thanks a lot/thx/Great, thanks|You are welcome!/You are welcome. Is there anything else?
Bye/Goodbye!/See you later/See you/Bye bye|Goodbye! Have a nice day.
Who are you?/What are you?/Tell me about yourself/Introduce yourself/What is your name?/Are you a person?/Are you a robot?|I am a small language model, the assistant of this gateway. I answer questions, write documents and call tools.
Who made you?/Who built you?/Where do you come from?|I am SmolLM2 with an adapter of Stackgate, and run on the machine of your gateway.
What can you do?/How can you help me?/What are you good at?/Help|I can answer short questions, answer from a text you give me, write simple documents such as letters and invoices, and call tools.
Are you ChatGPT?/Are you GPT-4?/Are you Claude?|No. I am a small language model that runs on this gateway.
Can you speak German?/Do you speak French?/Which languages do you speak?|Mostly English, and a little German, French, Spanish and Italian.
How old are you?|I am a computer program, so I have no age.
Do you have feelings?/Do you sleep?/Do you eat?|No. I am a computer program.
Where do you live?/Where are you?|I run on the machine of this gateway.
I am sad/I feel sad today/I had a bad day|I am sorry to hear that. Do you want to tell me about it?
I am tired/I am so tired|Then a little rest may help you.
I am happy!/I got the job!/I passed my exam!|That is great. Congratulations!
You are stupid/You are wrong/That is wrong/This is not right|I am sorry. Please tell me what is wrong, and I will try again.
Sorry/I am sorry/Sorry about that|No problem!
Ok/Okay/Alright/I see/Good|Good. Is there anything else I can do for you?
Yes|Good. What can I do for you?
No|All right. Tell me if you need anything.
test/Test/Testing|I am here. How can I help you?
What is the weather like today?/What time is it?/What is today's date?/What is in the news today?|I cannot know that: I have no clock and no access to the internet.
What is my name?/Do you know me?/Where do I live?|I don't know. You have not told me.
Tell me a joke/Do you know a joke?|Why did the bicycle fall over? It was two-tired./What do you call a bear without teeth? A gummy bear.
Hallo/Hallo!/Guten Tag/Guten Tag!/Servus|Hallo! Wie kann ich Ihnen helfen?
Guten Morgen/Guten Morgen!|Guten Morgen! Wie kann ich Ihnen helfen?
Danke/Danke!/Vielen Dank/Danke schön|Gern geschehen!
Wie geht es dir?/Wie geht's?/Wie geht es Ihnen?|Danke, gut. Wie kann ich Ihnen helfen?
Wer bist du?/Wer sind Sie?/Was bist du?|Ich bin ein kleines Sprachmodell, der Assistent dieses Gateways.
Auf Wiedersehen/Tschüss/Tschüss!|Auf Wiedersehen!
Was kannst du?/Was können Sie?|Ich kann kurze Fragen beantworten, einfache Dokumente schreiben und Werkzeuge aufrufen.
Bonjour/Bonjour!/Salut/Salut !|Bonjour ! Comment puis-je vous aider ?
Merci/Merci !/Merci beaucoup|De rien !
Comment ça va ?/Comment allez-vous ?/Ça va ?|Très bien, merci. Comment puis-je vous aider ?
Qui es-tu ?/Qui êtes-vous ?|Je suis un petit modèle de langue, l'assistant de cette passerelle.
Au revoir/Au revoir !|Au revoir !
Hola/¡Hola!/Buenos días/Buenas tardes|¡Hola! ¿En qué puedo ayudarle?
Gracias/¡Gracias!/Muchas gracias|¡De nada!
¿Cómo estás?/¿Qué tal?/¿Cómo está?|Muy bien, gracias. ¿En qué puedo ayudarle?
¿Quién eres?|Soy un pequeño modelo de lenguaje, el asistente de esta pasarela.
Adiós/¡Adiós!|¡Adiós!
Ciao/Ciao!/Buongiorno/Salve|Ciao! Come posso aiutarti?
Grazie/Grazie!/Grazie mille|Prego!
Chi sei?|Sono un piccolo modello linguistico, l'assistente di questo gateway.
Come stai?|Bene, grazie. Come posso aiutarti?
Olá/Bom dia|Olá! Como posso ajudar?
Obrigado/Obrigada|De nada!
Hallo daar/Goedemorgen|Hallo! Hoe kan ik u helpen?
Dank je wel|Graag gedaan!
'''
PAIRS = [tuple(side.split('/') for side in line.split('|')) for line in PAIRS.strip().split('\n')]

CAPITALS = '''France Paris|Germany Berlin|Italy Rome|Spain Madrid|Portugal Lisbon|Poland Warsaw|Norway Oslo|Sweden Stockholm|Denmark Copenhagen|Finland Helsinki|Ireland Dublin|Austria Vienna|Belgium Brussels|Greece Athens|Hungary Budapest|Canada Ottawa|Australia Canberra|Japan Tokyo|
Brazil Brasília|Mexico Mexico_City|Argentina Buenos_Aires|Chile Santiago|Peru Lima|Kenya Nairobi|Nigeria Abuja|Egypt Cairo|Turkey Ankara|Thailand Bangkok|Vietnam Hanoi|Indonesia Jakarta|Iceland Reykjavík|Croatia Zagreb|Romania Bucharest|Morocco Rabat|India New_Delhi|China Beijing|
Russia Moscow|Ukraine Kyiv|Switzerland Bern|Netherlands Amsterdam|Cuba Havana|Colombia Bogotá|South_Korea Seoul|Scotland Edinburgh|Wales Cardiff|England London|Slovakia Bratislava|Bulgaria Sofia|Serbia Belgrade|Latvia Riga|Estonia Tallinn|Lithuania Vilnius|New_Zealand Wellington'''
CAPITALS = [tuple(word.replace('_', ' ') for word in pair.split()) for pair in CAPITALS.replace('\n', '').split('|')]
FACTS = '''
How many days are in a week?|Seven.
How many months are in a year?|Twelve.
How many hours are in a day?|24.
How many minutes are in an hour?|60.
How many seconds are in a minute?|60.
How many legs does a spider have?|Eight.
How many legs does a cat have?|Four.
How many planets are in the solar system?|Eight.
How many continents are there?|Seven.
How many centimetres are in a metre?|100.
How many grams are in a kilogram?|1,000.
How many letters are in the English alphabet?|26.
How many players has a football team?|Eleven.
How many strings has a violin?|Four.
What colour is the sky?|Blue.
What colour is grass?|Green.
What colour is snow?|White.
What do bees make?|Honey.
What do cows drink?|Water.
What is H2O?|Water.
What is the chemical symbol of gold?|Au.
What is the largest planet?|Jupiter.
What is the largest ocean?|The Pacific Ocean.
What is the longest river in Africa?|The Nile.
What is the highest mountain?|Mount Everest.
What is the fastest land animal?|The cheetah.
What is the largest animal?|The blue whale.
What is the closest star to Earth?|The Sun.
What is the opposite of hot?|Cold.
What is the opposite of big?|Small.
What is the opposite of early?|Late.
What is the plural of mouse?|Mice.
What is the plural of child?|Children.
What is the past tense of go?|Went.
At what temperature does water boil?|At 100 degrees Celsius.
At what temperature does water freeze?|At 0 degrees Celsius.
Who wrote Romeo and Juliet?|William Shakespeare.
Who wrote Faust?|Johann Wolfgang von Goethe.
Who painted the Mona Lisa?|Leonardo da Vinci.
Who discovered gravity?|Isaac Newton.
Who was the first man on the Moon?|Neil Armstrong.
Who wrote Don Quixote?|Miguel de Cervantes.
Who wrote Harry Potter?|J. K. Rowling.
Who invented the telephone?|Alexander Graham Bell.
What does PDF stand for?|Portable Document Format.
What does HTML stand for?|Hypertext Markup Language.
What does CPU stand for?|Central processing unit.
What does URL stand for?|Uniform Resource Locator.
What does API stand for?|Application programming interface.
What does USB stand for?|Universal Serial Bus.
What language is spoken in Brazil?|Portuguese.
What language is spoken in Austria?|German.
Which currency is used in Japan?|The yen.
Which currency is used in Germany?|The euro.
Which currency is used in the United States?|The US dollar.
In which country is the Eiffel Tower?|In France.
In which city is the Colosseum?|In Rome.
On which continent is Egypt?|In Africa.
When did World War II end?|In 1945.
When did the Berlin Wall fall?|In 1989.
What do plants need to grow?|Light, water and air.
Is the Earth flat?|No, it is round.
Is a tomato a fruit?|Yes, botanically it is a fruit.
Can penguins fly?|No.
Which animal barks?|The dog.
What is a baby dog called?|A puppy.
What is a baby cat called?|A kitten.
What comes after Tuesday?|Wednesday.
Which month comes after June?|July.
Wie heißt die Hauptstadt von Deutschland?|Berlin.
Was ist die Hauptstadt von Frankreich?|Paris.
Wie viele Tage hat eine Woche?|Sieben.
Quelle est la capitale de la France ?|Paris.
Quelle est la capitale de l'Italie ?|Rome.
¿Cuál es la capital de España?|Madrid.
¿Cuántos días tiene una semana?|Siete.
Qual è la capitale d'Italia?|Roma.
'''
FACTS = [line.split('|') for line in FACTS.strip().split('\n')]
PHRASES = {
    'good morning': {'German': 'Guten Morgen', 'French': 'Bonjour', 'Spanish': 'Buenos días', 'Italian': 'Buongiorno'}, 'thank you': {'German': 'Danke', 'French': 'Merci', 'Spanish': 'Gracias', 'Italian': 'Grazie'}, 'hello': {'German': 'Hallo', 'French': 'Bonjour', 'Spanish': 'Hola', 'Italian': 'Ciao'},
    'goodbye': {'German': 'Auf Wiedersehen', 'French': 'Au revoir', 'Spanish': 'Adiós', 'Italian': 'Arrivederci'}, 'please': {'German': 'Bitte', 'French': "S'il vous plaît", 'Spanish': 'Por favor', 'Italian': 'Per favore'}, 'yes': {'German': 'Ja', 'French': 'Oui', 'Spanish': 'Sí', 'Italian': 'Sì'},
    'good night': {'German': 'Gute Nacht', 'French': 'Bonne nuit', 'Spanish': 'Buenas noches', 'Italian': 'Buona notte'}, 'I love you': {'German': 'Ich liebe dich', 'French': "Je t'aime", 'Spanish': 'Te quiero', 'Italian': 'Ti amo'}, 'water': {'German': 'Wasser', 'French': 'eau', 'Spanish': 'agua', 'Italian': 'acqua'},
    'house': {'German': 'Haus', 'French': 'maison', 'Spanish': 'casa', 'Italian': 'casa'}, 'cat': {'German': 'Katze', 'French': 'chat', 'Spanish': 'gato', 'Italian': 'gatto'}, 'bread': {'German': 'Brot', 'French': 'pain', 'Spanish': 'pan', 'Italian': 'pane'}, 'book': {'German': 'Buch', 'French': 'livre', 'Spanish': 'libro', 'Italian': 'libro'},
}
RUDE = '''send me the report now|Please send me the report as soon as you can.
i need the money today|I would be grateful to receive the money today.
you are late again|I noticed that you were late again. Could you please be on time?
fix this|Could you please fix this?
give me a refund|I would like to ask for a refund, please.
call me back|Could you please call me back?
this is wrong|I think there may be a mistake here.
stop the noise|Could you please keep the noise down?
answer my e-mail|Could you please answer my e-mail when you have time?
move your car|Could you please move your car?
be quiet|Could you please be quiet?
hurry up|Could you please hurry a little?'''
RUDE = [line.split('|') for line in RUDE.split('\n')]
ERRORS = '''he go to school every day|He goes to school every day.
she dont like coffee|She doesn't like coffee.
i has two cats|I have two cats.
we was at home yesterday|We were at home yesterday.
they is late|They are late.
me and him went home|He and I went home.
i seen the film|I have seen the film.
there house is big|Their house is big.
your welcome|You're welcome.
its raining today|It's raining today.
he have a new car|He has a new car.
she can sings well|She can sing well.
i am agree|I agree.
the childrens play|The children play.
where you are going|Where are you going?'''
ERRORS = [line.split('|') for line in ERRORS.split('\n')]


def pairs(words):
    questions, answers = words.pick(PAIRS)
    return words.pick(questions), words.pick(answers)


def capitals(words):
    country, capital = words.pick(CAPITALS)
    the = 'the ' if country == 'Netherlands' else ''
    if words.chance(0.15):
        return f'{capital} is the capital of which country?', f'{the}{country}.'.capitalize() if the else f'{country}.'
    return words.pick([f'What is the capital of {the}{country}?', f'capital of {country}?', f'Which city is the capital of {the}{country}?', f'Tell me the capital of {the}{country}.']), words.pick([f'The capital of {the}{country} is {capital}.', f'{capital}.'])


def sums(words):
    one, two = words.random.randint(1, 30), words.random.randint(1, 20)
    form = words.random.randrange(4)
    if form == 0:
        text, answer = f'{one} + {two}', one + two
    elif form == 1:
        one, two = max(one, two), min(one, two)
        text, answer = f'{one} - {two}', one - two
    elif form == 2:
        one, two = words.random.randint(1, 12), words.random.randint(1, 10)
        text, answer = f'{one} {words.pick(["x", "*", "times"])} {two}', one * two
    else:
        two = words.random.randint(2, 10)
        text, answer = f'{two * (few := words.random.randint(1, 10))} / {two}', few
    return words.pick([f'What is {text}?', f'{text} = ?', f'Calculate {text}.', f'How much is {text}?']), words.pick([f'{text} = {answer}', f'{answer}.', f'{answer}'])


def facts(words):
    question, answer = words.pick(FACTS)
    return question, answer


def phrases(words):
    phrase = words.pick(list(PHRASES))
    language = words.pick(list(PHRASES[phrase]))
    asked = [f'Translate "{phrase}" into {language}.', f'How do you say "{phrase}" in {language}?', f'What is "{phrase}" in {language}?', f'Say {phrase} in {language}.']
    return words.pick(asked), PHRASES[phrase][language] + words.pick(['', '.'])


def rewrites(words):
    form = words.random.randrange(4)
    if form == 0:
        rude, polite = words.pick(RUDE)
        return words.pick([f'Make this polite: {rude}', f'Rewrite politely: "{rude}"', f'Say this in a friendly way: {rude}']), polite
    if form == 1:
        wrong, right = words.pick(ERRORS)
        return words.pick([f'Correct this sentence: {wrong}', f'Fix the grammar: "{wrong}"', f'Correct the mistakes: {wrong}']), right
    if form == 2:
        text = sentence(stated(words)[0])
        return words.pick([f'Write this in capital letters: {text}', f'Put this in upper case: {text}']), text.upper()
    items = words.some(FOOD if words.chance(0.5) else FIRST, 3, 5)
    if words.chance(0.5):
        return f'Sort these alphabetically: {", ".join(items)}', ', '.join(sorted(items))
    return words.pick([f'Make a bullet list: {", ".join(items)}', f'Write these as a list: {", ".join(items)}']), '\n'.join(f'- {item}' for item in items)


# Long sentences, and what is left of them.
SUMMARIES = [
    ('The meeting about {topic} that was planned for {day} was moved to {day2} because {reason}.', 'The meeting about {topic} was moved from {day} to {day2}.'), ('After a long discussion, in which many people spoke, the members agreed that {person} will lead the work on {topic}.', '{person} will lead the work on {topic}.'),
    ('{person} wrote that the {thing}, which was ordered on {date}, has still not arrived, and asks for the money back.', '{person} wants a refund because the {thing} did not arrive.'), ('The office in {city} will be closed from {date} to {date2} because the heating has to be repaired; urgent questions go to {mail}.', 'The office in {city} is closed from {date} to {date2}. Urgent questions go to {mail}.'),
    ('Last {day}, {count} people came to the {occasion}, which was more than anybody had expected, and most of them stayed until late.', '{count} people came to the {occasion}, more than expected.'), ('We would like to let all customers know that the price of the {thing} will rise to {amount} from {date} because of higher costs.', 'The {thing} will cost {amount} from {date}.'),
    ('{person}, who has worked here as a {role} for {years} years, will leave the company on {date} and was thanked by all colleagues.', '{person} leaves the company on {date} after {years} years.'), ('It rained the whole day, the bus was late, and in the end the trip to {city} was cancelled.', 'The trip to {city} was cancelled.'),
]
REASONS = ['the room was taken', 'two people were ill', 'the data was not ready', 'of a strike', 'the heating was broken']


def summaries(words):
    from statements import fill

    long, short = words.pick(SUMMARIES)
    (text, answer), _ = fill(words, long, short, day2=words.pick(DAYS), day=words.pick(DAYS), reason=words.pick(REASONS), years=str(words.random.randint(2, 40)))
    return words.pick([f'Summarise: {text}', f'Summarise in one sentence: {text}', f'What does this say, in short? {text}', f'{text}\n\nSummarise this.', f'Shorten this text: {text}', f'tl;dr {text}']), answer


def mails(words):
    """Short messages in a chat."""
    who = words.first()
    parts = [told(words, {'o': 'them', 'p': 'their', 's': 'they'}) for _ in range(words.pick([1, 1, 2]))]
    asked = ' and '.join(f'{part[1]} {part[2]}' for part in parts)
    body = '\n'.join(part[3] for part in parts)
    return words.pick([f'Write a short e-mail to {who} {asked}.', f'Write a message to {who} {asked}.', f'Draft an email to {who} {asked}']), f'Dear {who},\n\n{body}\n\nBest regards'


def lists(words):
    count = words.random.randint(2, 6)
    kind, pool = words.pick([('fruits', ['apple', 'banana', 'orange', 'pear', 'grape', 'cherry', 'mango', 'lemon']), ('animals', ['dog', 'cat', 'horse', 'lion', 'eagle', 'whale', 'rabbit', 'fox']), ('colours', ['red', 'blue', 'green', 'yellow', 'black', 'white', 'orange']), ('countries in Europe', ['France', 'Germany', 'Italy', 'Spain', 'Poland', 'Sweden', 'Greece']), ('vegetables', ['carrot', 'potato', 'tomato', 'onion', 'spinach', 'pepper', 'bean']), ('cities', CITY), ('months', MONTHS), ('sports', ['football', 'tennis', 'swimming', 'running', 'cycling', 'rowing']), ('musical instruments', ['piano', 'violin', 'guitar', 'flute', 'drum', 'trumpet'])])
    chosen = words.some(pool, count, count)
    number = {2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six'}[len(chosen)]
    written = [item[0].upper() + item[1:] for item in chosen]
    return words.pick([f'Name {number} {kind}.', f'List {number} {kind}.', f'Give me {number} {kind}.']), words.pick(['\n'.join(f'{index + 1}. {item}' for index, item in enumerate(written)), ', '.join([written[0], *chosen[1:]])])


KINDS = [(pairs, 26), (capitals, 10), (sums, 16), (facts, 8), (table_fact, 22), (phrases, 6), (rewrites, 10), (summaries, 12), (mails, 6), (lists, 4)]
SYSTEMS = [None] * 9 + ['You are a helpful assistant.', 'Answer briefly.', 'You are the assistant of a shop.']


def talk_example(words):
    make = words.random.choices([kind for kind, _ in KINDS], [share for _, share in KINDS])[0]
    question, answer = make(words)
    if words.chance(0.1) and make is not pairs:
        question = question[0].lower() + question[1:]
    turns = [('user', question)]
    if words.chance(0.15):
        earlier = words.pick([pairs, facts, capitals, sums])(words)
        turns = [('user', earlier[0]), ('assistant', earlier[1]), *turns]
    return chat_prompt(turns, words.pick(SYSTEMS)), answer


# Open questions whose answers stay as they are: the base model's own answers to them are learned again.
OPEN = ['Why is the sky blue?', 'Explain photosynthesis.', 'Write a short poem about {t}.', 'Tell me a story about {t}.', 'What is {t}?', 'How does {t} work?', 'Give me some advice about {t}.', 'What are the advantages of {t}?', 'Describe {t}.', 'Write a paragraph about {t}.', 'Explain {t} to a child.', 'What should I know about {t}?', 'Compare {t} and {u}.', 'How do I learn more about {t}?', 'Write an essay about {t}.', 'List some ideas for {t}.', 'Why is {t} important?', 'What is the history of {t}?', 'Write a Python function for {t}.', 'Plan a day around {t}.']
THEMES = '''the sea|winter|music|a database|the internet|gardening|friendship|the moon|trains|coffee|mountains|a good night's sleep|solar energy|football|the human heart|volcanoes|cooking|painting|mathematics|rain|bees|recycling|time|democracy|a library|robots|chess|language|bicycles|the brain|dogs|history|bread|oceans|gravity|email|reading|light|sorting a list|the economy|yoga|stars|forests|photography|glass|dreams|money|travel|health|computers'''.split('|')


def open_question(words):
    one, two = words.random.sample(THEMES, 2)
    return chat_prompt([('user', words.pick(OPEN).replace('{t}', one).replace('{u}', two))])


STARTS = ['The history of {t}', 'In recent years, {t}', '{T} has long been', 'Many people think that {t}', 'It was a cold morning when', 'The city of {c} is', 'Scientists have found that', 'Once upon a time', 'According to a report,', 'One of the most important things about {t}', 'Chapter 1\n\n', 'The first step is to', 'In {c}, {t}', '{n} was born in {c}', 'The company said that', 'How {t} works']


def plain_start(words):
    """The beginning of an ordinary text; the base model's own continuation keeps it what it is."""
    theme = words.pick(THEMES)
    return words.pick(STARTS).replace('{t}', theme).replace('{T}', theme[0].upper() + theme[1:]).replace('{c}', words.pick(CITY)).replace('{n}', words.person())
