// Names and words. Alternatives have no article if the text that uses the rule has one.
#include "text/story_rules.h"

namespace tied {

const char* const kStoryWords = R"(
H 1
  [girl]|[boy]
F 2
  [girl]|[boy]
A 3
  [woman]|[man]
plot 4
  [plots]|[townplot]
Town 4
  New York|[town]
Street 4
  [avenue]|[road]
Spot 4
  [park]|[place]
Hall 4
  Carnegie Hall|the town hall
Home 4
  [flat]|[house]
girl
  Ada|Bella|Clara|Dora|Emma|Flora|Hannah|Ida|Julia|Kate|Lucy|Maria|Nora|Rosa|Sarah
boy
  Adam|Ben|Carl|Daniel|Edgar|Felix|George|Henry|Isaac|Jack|Leo|Martin|Nathan|Oscar|Peter
surname
  Abbott|Bishop|Carter|Ellis|Garcia|Hopkins|Novak|Porter|Rossi|Tanaka|Vogel
man
  Mr. [surname]|Uncle [boy]|Captain [surname]
woman
  Mrs. [surname]|Aunt [girl]|Miss [surname]
Friend
  <his> friend [F]|<his> best friend [F]|<his> cousin [F]|<his> neighbor [F]|[F] from the [shop]
stop
  Cedar Falls|Maple Hill|Stony Brook|Cape May
Stop
  [stop]
town
  [stop]|New Haven|New Orleans|Green Harbor|Silver Lake|San Francisco|Los Angeles|Little Rock|Santa Fe
Oldtown
  [town]
avenue
  Fifth Avenue|Park Avenue|Madison Avenue|Canal Street|Wall Street
road
  Main Street|Elm Street|Orchard Lane|Mill Road
park
  Central Park|Union Square|Battery Park|the Bronx Zoo
place
  Market Square|the town hall|the train station|the old mill|the swimming pool
landmark
  Brooklyn Bridge|Empire State Building|Statue of Liberty
flat
  a narrow brick house|a tall apartment building|a tiny attic|two rooms above a laundry
house
  a white cottage|an old farmhouse|a yellow house with a crooked chimney|a wooden house with green shutters
shop
  bakery|flower shop|hardware store|barber shop|toy store|book shop|fish market|candy store|grocery|tea room|fire station
  shoe factory|coffee house
cafe
  bakery|candy store|tea room|coffee house
job
  baker|tailor|sailor|plumber|dentist|painter|teacher|gardener|mechanic|mail carrier|police officer|taxi driver
  carpenter|nurse|librarian|farmer|engineer|banker|waiter|street musician
elder
  mother|father|uncle|aunt|grandmother|grandfather
Elder
  [elder]
kin
  mother|parents|grandparents|two brothers|three sisters
age
  small|cheerful|curious|quiet|clever|thoughtful|lively
good
  honest|kind|brave|patient|friendly|polite|careful|funny
flaw
  shy|lazy|stubborn|clumsy|noisy|jealous
hobby
  drawing birds|climbing trees|reading about pirates|singing in the bathtub|baking bread|building towers
  watching trains|telling riddles|dancing|swimming|fishing|collecting stamps
Hobby
  astronomy|chess|poetry|magic
subject
  arithmetic|geography|history|chemistry|grammar
trifle
  a piece of string|two acorns|a rusty nail|a broken pencil|a green button|half a cookie|a smooth pebble
  a rubber band|three peanuts|a paper boat|a crumpled handkerchief
goods
  buttons|ribbons|onions|newspapers|boots|envelopes|spoons|pickles|walnuts|violins|clocks|cushions
  noodles
nature
  star|river|butterfly|mushroom|whale|volcano|mountain|island
color
  red|blue|green|yellow|purple|orange|pink|silver
fur
  black|white|gray|brown|golden|spotted
count
  three|four|five|six|seven|eight|nine|ten|eleven|twelve
few
  three|four|five
Hour
  [count]
nth
  first|second|third|fourth|fifth|sixth
weekday
  Monday|Tuesday|Wednesday|Thursday|Friday
day
  [weekday]|[weekday]|Saturday|Sunday
month
  March|April|May|June|July|August|September|October|November
morning
  morning|afternoon|evening
early
  sunrise|breakfast|noon
late
  dusk|sunset|supper
quiet
  quiet|gentle|soft|clear|bright
weather
  a warm rain was falling|the sun shone on the wet roofs|a cool wind blew from the river|gray clouds hung over the chimneys
  the air smelled of [smell] and [smell]|the whole town seemed to be asleep|somewhere a [bird] was singing
smell
  cinnamon|tar|salt|pine|leather
bag
  basket|suitcase|backpack|trunk
Bag
  [bag]
Coat
  raincoat|jacket|sweater|apron
hat
  straw hat|cap|bonnet|helmet
cart
  wagon|delivery truck|park bench
seat
  stool|bench|kitchen table|sofa|ladder
barrel
  barrel|bucket|flower pot|crate|mailbox|hedge
fence
  fence|garden gate|stone wall|railing
sign
  sign|awning
material
  cardboard|bamboo|canvas|wire|tin|glue
part
  wheel|plank|spring|hinge|rope|screw
tool
  hammer|saw|spade|wrench|shovel|rake|drill
Tool
  [tool]
Craft
  kite|raft|tree house|sailboat|windmill|telescope|robot
Thing
  silver whistle|brass compass|pocket watch|lucky penny|gold ring|fountain pen|copper bell
Music
  violin|flute|trumpet|guitar|clarinet
piece
  waltz|lullaby|march|sonata
dish
  tomato soup|apple pie|roast chicken|peanut butter|ice cream|mashed potatoes|baked beans|rice pudding
  chocolate cake
drink
  lemonade|apple cider|orange juice|hot chocolate|peppermint tea|root beer|milk
meat
  sausage|liver|ham|tuna
fruit
  plum|cherry|peach|pear|lemon|melon|raspberry|grape|banana
Pie
  apple pie|cherry pie|lemon cake|carrot cake|almond tart
plate
  plate|pancake|doormat
crow
  crow|stove|boot
step
  sift the flour|beat the eggs|melt the butter|whip the cream|knead the dough|weigh the sugar
loaf
  loaf|cake|pretzel|doughnut|cheese
tree
  oak|maple|willow|birch|poplar
Tree
  [tree]
pet
  dog|cat|parrot|hamster|turtle
name
  Pepper|Biscuit|Muffin|Rusty|Bandit|Ginger|Duke
Pet
  [name]
Name
  [name]
Stray
  dog|cat|puppy|kitten
beast
  goat|donkey|pony|badger|fox|squirrel|goose|pig
bird
  sparrow|pigeon|robin|finch|lark|swallow
insect
  moth|cricket|fly
sad
  sad|worried|miserable|gloomy|lonely
thin
  thin|hungry|muddy
blinked
  blinked|yawned|sneezed|sighed
howl
  howl|whimper|scratch at the door
creaked
  creaked|rustled|squeaked|rattled
large
  huge|gray|crowded|confusing
plank
  plank|cobblestone|stair
deed
  tamed a wild horse|crossed the prairie in a wagon|met the president|found a nugget of gold
barn
  barn|meadow|village|tunnel|orchard
card
  dominoes|checkers|a jigsaw puzzle
Matter
  the moon|the last slice of pizza|the rules of baseball|the name of a dinosaur
)";

}  // namespace tied
