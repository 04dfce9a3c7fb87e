// Who and what there is. Alternatives stand without an article where a rule's use has one.
#include "text/story_rules.h"

namespace tied {

const char* const kStoryWords = R"(
girl
  Ada|Bella|Clara|Dora|Emma|Flora|Hannah|Ida|Julia|Kate|Lucy|Maria|Nora|Rosa|Sarah|Wanda|Alice|Edith|Helen|Irene|Mabel
  Nina|Ruth|Stella|Judith|Eva
boy
  Adam|Ben|Carl|Daniel|Edgar|Felix|George|Henry|Isaac|Jack|Kevin|Leo|Martin|Nathan|Oscar|Peter|Ralph|Samuel|Theo|Victor
  Walter|Simon|Hugo|Arthur|Paul|Owen
surname
  Abbott|Bishop|Carter|Dawson|Ellis|Fletcher|Garcia|Hopkins|Kowalski|Lindgren|Moreno|Novak|Osborn|Porter|Quigley|Rossi
  Sullivan|Tanaka|Vogel|Wagner
H 1
  [girl]|[boy]
F 2
  [girl]|[boy]
A 3
  [woman]|[man]
man
  Mr. [surname]|Uncle [boy]|Captain [surname]|Professor [surname]
woman
  Mrs. [surname]|Aunt [girl]|Miss [surname]
Surname2
  [surname]
Friend
  <his> friend [F]|<his> best friend [F]|<his> cousin [F]|<his> neighbor [F]|[F] from the [shop]
Town 4
  New York|[town]
town
  New Haven|New Orleans|Green Harbor|Cedar Falls|Silver Lake|Maple Hill|Stony Brook|San Francisco|Los Angeles|Cape May
  Little Rock|Santa Fe|Saint Paul|Baton Rouge|Salt Lake City|Sleepy Hollow
Oldtown
  [town]
Street 4
  [avenue]|[road]
avenue
  Fifth Avenue|Park Avenue|Madison Avenue|Canal Street|Mulberry Street|Wall Street
road
  Main Street|Elm Street|Orchard Lane|Mill Road|Church Street
Spot 4
  [park]|[place]
park
  Central Park|Union Square|Battery Park|Washington Square|the Bronx Zoo
place
  Market Square|the town hall|the train station|the old mill|the swimming pool
Hall 4
  Carnegie Hall|the town hall
landmark
  Brooklyn Bridge|Empire State Building|Statue of Liberty
sightpark
  stone fountain|bronze horse|merry carousel|duck pond
Home
  a narrow brick house|a white cottage|an old farmhouse|a tall apartment building|a yellow house with a crooked chimney
  a tiny attic|a wooden house with green shutters
Yard
  the laundry|the tenement|the bakery
shop
  bakery|flower shop|hardware store|barber shop|toy store|book shop|fish market|candy store|corner grocery|bicycle shop
  tea room|music store|fire station|shoe factory|coffee house
job
  baker|tailor|sailor|plumber|dentist|painter|teacher|gardener|mechanic|mail carrier|police officer|taxi driver|pilot
  carpenter|nurse|librarian|farmer|engineer|florist|banker|reporter|waiter|tourist|street musician
Job
  [job]
elder
  mother|father|uncle|aunt|grandmother|grandfather
Elder
  [elder]
kin
  mother|parents|grandparents|aunt|two brothers|three sisters|father and twin sisters
age
  small|cheerful|curious|quiet|clever|tall|thoughtful|freckled|lively|red-haired
good
  honest|kind|brave|patient|friendly|polite|generous|careful|funny|loyal
flaw
  shy|lazy|stubborn|impatient|clumsy|forgetful|vain|noisy|jealous|bossy
hobby
  drawing birds|climbing trees|reading about pirates|riding <his> bicycle|singing in the bathtub|baking bread|skipping stones
  building towers|watching trains|telling riddles|playing marbles|dancing|swimming|fishing|painting|collecting stamps
Hobby
  astronomy|chess|photography|juggling|poetry|magic tricks
subject
  arithmetic|geography|history|spelling|chemistry|grammar|Latin|biology
keepsake
  seashell|postage stamp|feather|glass marble|picture card|bottle cap|toy soldier|fossil|comic book
trifle
  a piece of string|two acorns|a rusty nail|a broken pencil|a green button|half a cookie|an empty matchbox|a smooth pebble
  a rubber band|three peanuts|a paper boat|a candle end|a ticket stub|a crumpled handkerchief
fear
  thunder|spiders|the dark cellar|ghosts|deep water|geese|the dentist
goods
  buttons|ribbons|onions|newspapers|boots|envelopes|spoons|candles|lamps|pickles|walnuts|violins|umbrellas|towels|baskets
  clocks|cushions|teapots|noodles|brushes
nature
  star|river|butterfly|mushroom|whale|volcano|mountain|meteor|desert|island|beetle|glacier
color
  red|blue|green|yellow|purple|orange|brown|gray|pink|golden|silver|white|scarlet|violet
count
  two|three|four|five|six|seven|eight|nine|ten|eleven|twelve
tens
  twenty|thirty|forty|fifty|sixty|eighty
nth
  first|second|third|fourth|fifth|sixth|ninth
hour
  three|four|five|six|seven|eight|nine|ten
weekday
  Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
month
  March|April|May|June|July|August|September|October|November
morning
  morning|afternoon|evening
early
  sunrise|breakfast|noon
late
  dusk|sunset|suppertime|nightfall
quiet
  quiet|gentle|soft|clear|still|bright|golden
weather
  a warm rain was falling|the sun shone on the wet roofs|a cool wind blew from the river|gray clouds hung over the chimneys
  the air smelled of [smell] and [smell]|the whole town seemed to be asleep|somewhere a [bird] was singing
  the sky was as blue as a [fruit]|a thunderstorm had just gone by
smell
  cinnamon|tar|fresh bread|hay|roses|coffee|salt|pine wood|soap|leather
bag
  basket|suitcase|backpack|wheelbarrow|wicker trunk|canvas sack|briefcase
coat
  raincoat|jacket|sweater|overcoat|apron|cardigan
hat
  straw hat|cap|bonnet|helmet|top hat|woolen mitten|beret
cart
  wagon|delivery truck|stroller|fruit stand|park bench
seat
  stool|rocking chair|bench|kitchen table|sofa|ladder
barrel
  barrel|bucket|flower pot|watering can|crate|mailbox|trash can|rain barrel
corner
  corner|doorway|stairway|alley|gutter|hedge
fence
  fence|garden gate|stone wall|hedge|railing
sign
  sign|awning|flagpole|weather vane|shutter
cupboard
  cupboard|pantry|desk|sewing basket|dresser
paper
  calendar|grocery list|menu|train ticket|map
material
  cardboard|plywood|bamboo|canvas|old wire|driftwood|tin|burlap|sailcloth|glue
part
  wheel|plank|spring|pulley|hinge|rope|wing|pole|screw
tool
  hammer|saw|spade|wrench|screwdriver|tape measure|pocket knife|shovel|rake|drill
Craft
  kite|raft|soapbox car|tree house|sailboat|windmill|telescope|wagon|robot
Thing
  silver whistle|brass compass|pocket watch|lucky penny|gold ring|pearl button|fountain pen|magnifying glass|copper bell
  ivory dice
Music
  violin|flute|trumpet|harmonica|guitar|cello|clarinet|accordion
piece
  waltz|lullaby|march|sonata|ballad
dish
  tomato soup|apple pie|roast chicken|bread and butter|peanut butter|ice cream|mashed potatoes|scrambled eggs|baked beans
  blueberry pancakes|rice pudding|cheese sandwiches|noodle stew|chocolate cake|fried fish|corn on the cob
drink
  lemonade|apple cider|orange juice|hot chocolate|peppermint tea|root beer|cold milk
milk
  milk|water|cream
meat
  sausage|liver|ham|chicken bones|tuna
fruit
  plum|cherry|peach|pear|apricot|lemon|melon|raspberry|grape|banana
Pie
  apple pie|cherry pie|lemon cake|carrot cake|pumpkin pie|almond tart|gingerbread
plate
  plate|pancake|dollar bill|doormat
stove
  stove|boot|chimney|crow|coal
stir
  stir|sift|measure|whip|knead|weigh
staple
  flour|sugar|butter|eggs|yeast|honey|vanilla
loaf
  loaf|sausage|cake|pretzel|doughnut|jar of jam|wheel of cheese
plant
  cabbage|bean|carrot|radish|cucumber|sunflower|pumpkin|beet|turnip|tomato plant
weed
  nettles|thistles|dandelions|moss|brambles
tree
  oak|maple|willow|chestnut tree|birch|poplar|elm
leaf
  plank|cobblestone|stair
pet
  dog|cat|parrot|hamster|turtle|canary|poodle
petname
  Pepper|Biscuit|Captain|Muffin|Whiskers|Rusty|Pickle|Bandit|Ginger|Duke
Pet
  Pepper|Biscuit|Muffin|Rusty|Pickle|Bandit|Ginger|Duke|Shadow|Lucky
Stray
  dog|cat|puppy|kitten|terrier|spaniel
beast
  goat|donkey|pony|badger|fox|squirrel|hedgehog|goose|pig|sheepdog
animalbig
  elephant|bear|walrus|lion|camel
bird
  sparrow|pigeon|robin|blackbird|finch|owl|swallow|starling|nightingale
insect
  moth|cricket|fly|mosquito|wasp
fish
  trout|eel|herring|catfish|perch
sad
  sad|worried|miserable|unhappy|gloomy|lonely
thin
  thin|hungry|muddy|shivering|scruffy|wet
blinked
  blinked|yawned|sneezed|sighed|shrugged
cry
  howl|whimper|scratch at the door|run in circles
creaked
  creaked|rustled|squeaked|rattled|scraped|giggled
large
  huge|gray|crowded|confusing|enormous
deed
  tamed a wild horse|crossed the prairie in a wagon|met the president|found a nugget of gold|swum across the Hudson River
barn
  barn|meadow|bridge|village|tunnel|orchard|steeple|cornfield|telegraph pole
card
  dominoes|checkers|a deck of cards|a jigsaw puzzle
matter
  a kite|the moon|the last slice of pizza|a borrowed skateboard|the rules of baseball|the name of a dinosaur
  the color of a zebra
Matter
  [matter]
)";

}  // namespace tied
