// What happens. Every plot has a want, an obstacle, a turn and an end.
#include "text/story_rules.h"

namespace tied {

const char* const kStoryPlots = R"(
story
  [start]&[plot] [end]
start
  [open] [trait]
  [open] [trait] [trait]
  [open] [Trait2]
open
  [H] was a [age] <boy> who lived in [Home] on [Street] in [Town].
  In [Town], in [Home] on [Street], there lived a [age] <boy> named [H].
  [H] lived in [Home] in [Town] with <his> [kin] and a [color] [pet] named [petname].
  Once there was a [age] <boy> named [H] whose [elder] kept the [shop] on [Street] in [Town].
  When [H] was [count] years old, <his> family moved from [Oldtown] to [Home] near [Spot] in [Town].
  Near [Spot] in [Town], between the [shop] and the [shop], lived a <boy> named [H].
trait
  <He> loved [hobby], [hobby] and [hobby].
  <He> was [good] and [good], but also a little [flaw].
  Every [weekday] after school <he> helped at the [shop], where <he> sorted [goods], [goods] and [goods].
  In <his> pockets <he> always carried [trifle], [trifle] and [trifle].
  <His> favorite color was [color], and <his> favorite food was [dish].
  <He> wanted to become a [job] or a [job] one day.
Trait2
  <He> had [count] [keepsake]~, and <he> knew every one of them by name.
  <He> could name all the [nature]~ and all the [nature]~ in [Spot].
  <He> was afraid of [fear], but <he> never told anybody.
sky
  It was a [quiet] [month] [morning], and [weather].
  One [weekday] in [month], [weather].
  On the [nth] [weekday] of [month], [weather].
  Late one [month] [morning], [weather].
sight
  They passed a [job] with a [bag], two [job]~ and a [pet] asleep under a [cart].
  The window of the [shop] was full of [goods], [goods] and [goods].
  A [job] waved from the door of the [shop].
  Behind the [fence] a [beast] lifted its head and looked at them.
  Somewhere a [job] was singing about [nature]~ and [nature]~.
meal
  a plate of [dish]|a bowl of [dish]|[dish] and [drink]|[drink] and [dish]|[drink] with [fruit]~ and [fruit]~
talk
  "[wise]," said [A], who had seen it all.
wise
  Whoever looks twice sees more|Slow feet climb high hills|Nobody learns to swim on a chair
  A good [tool] is half the work|Small keys open large doors|The river was once a drop of rain
  Bread needs time, and so do people|Even the moon begins again each month
  You can carry a mountain if you carry it stone by stone
end
  That night [H] slept as soundly as a [beast] in winter.
  From that day on, nobody in [Town] called <him> [flaw] again.
  And when [H] is asked about it today, <he> only smiles and talks about the weather.
  [H] told the story to everybody on [Street], and each time it grew a little longer.
  Then they all went to the [shop] and ate [meal] until it was dark.
  [H] wrote it all down in a [color] notebook, which is how we know.
  [H] walked home under the [quiet] sky, and <his> heart was light.
plot 4
  [cityplot]|[townplot]
plots
  [lost]|[stray]|[build]|[storm]|[school]|[concert]|[quarrel]|[mystery]|[garden]|[saving]|[map]|[window]|[snow]
cityplot
  [plots]|[plots]|[plots]|[plots]|[plots]|[plots]|[fog]|[letter]
townplot
  [plots]|[plots]|[plots]|[plots]|[contest]|[train]|[race]

lost
  [sky] [H] was on <his> way home from the [shop] when <he> reached into <his> [coat] and stood still. The [Thing] was
    gone. [A] had given it to <him> on <his> [nth] birthday, and there was not another like it in all of [Town].&[search]
    On the corner of [Street] <he> met [Friend]. "Why do you look so [sad]?" asked [F]. "I have lost my [Thing],"
    answered [H]. "Then we must find it," said [F]. [sight] They asked the [job] and the [job], but nobody had seen
    it.&[found]
search
  <He> ran back and looked under the [seat], behind the [barrel] and inside the [barrel].
  <He> turned around and searched every [corner] between the [shop] and the [shop].
  <He> emptied the [bag] on the ground and found only [trifle] and [trifle].
found
  At last [F] pointed up into a [tree]. There sat a magpie with something bright in its beak. [H] held up [trifle], and
    when the bird opened its beak to scold, the [Thing] fell straight into <2his> [hat].
  "Have you looked in the lining?" asked [F] at last. [H] felt along the seam of <his> [coat]. There was the [Thing]. It
    had slipped through a hole no wider than a [fruit].
  At [Spot] a [Job] opened a drawer. In it lay [trifle], [trifle] and the [Thing]. "A child brought it this morning," the
    [Job] explained. "She said that somebody would be [sad] without it." [H] left [trifle] for the child.
  On the steps of the [shop] sat a little girl who held the [Thing] in both hands. "I waited here for whoever lost it,"
    she said. [H] thanked her and bought her [dish] at the [shop].

stray
  [sky] On the steps of the [shop] sat a [thin] [Stray] with one [color] ear. It had no collar. "Who are you?" asked [H].
    The [Stray] only [blinked], but when <he> walked on, it followed <him> past the [shop] and the [shop], all the way to
    the front door.&"We cannot keep it," said <his> [Elder]. "Somebody must miss it." So [H] and [Friend] painted [count]
    notices and hung them up at [Spot], at the post office and on every [tree] on [Street]. [count] days went by. [H] gave
    the [Stray] [meat] and [milk], and because it needed a name, <he> called it [Pet].&[owner]
owner
  On the [nth] day there was a knock. Outside stood an old [job] with a [hat] in her hands. "That is my [Stray]," she
    said. [Pet] ran to her at once. [H] swallowed hard, but the old woman smiled. "I live alone. Would you and your friend
    [F] come and walk with us on [weekday]~?" So [H] lost a [Stray] and found two friends.
  Then one night [Pet] began to [cry] and would not stop. [H] woke up and smelled smoke. <He> woke the whole house, and the
    fire engine came just in time. "Who would miss a [Stray] like that and not come for it?" asked <his> [Elder] in the
    morning. "It is ours." [F] tied a [color] ribbon around its neck.
  Nobody came. In the end <his> [Elder] bought a [color] collar and put it on the table without a word. [F] read the name
    on it aloud. It said [Pet].

contest
  Every [month] the people of [Town] met at the county fair, and the best [Pie] won a [color] ribbon and [count] dollars.
    [H] wanted that ribbon more than anything. "I have never baked before," <he> told [Friend]. "How hard can it be?" asked
    [F].&It was hard. The first [Pie] was as flat as a [plate]. The second one was as black as a [stove]. Into the third
    one [F] put salt instead of sugar. [talk] So they went to [A] and learned to [stir] the [staple], to [stir] the
    [staple] and to wait.&[verdict]
verdict
  On the day of the fair there were [count] cakes and pies on the long table. The mayor tasted them all, closed her eyes
    and tasted one again. It was theirs. [H] pinned the ribbon on [A], who had to sit down.
  On the way to the fair [H] tripped over a [pet], and the [Pie] landed in the grass. [F] began to laugh, then they both
    laughed. They ate what could be saved, right there, with their fingers. "Best [Pie] in the county," said [F], and it was
    true.
  They won the [nth] prize, which was a [bag] full of [fruit]~. [H] was [sad] for a moment. Then a [job] asked for a second
    piece, and a [job] for a third, and soon the plate was empty. No other plate was.

build
  [sky] "Let us build a [Craft]," said [H] to [Friend]. They had [material], [material] and [count] [part]~, and [A] lent
    them a [tool] and a [tool]. They worked behind the [shop] from [early] until [late], and [F] painted it [color].&[broke]
    "I give up," said [H]. <He> threw the [tool] into the grass. [talk] [F] picked the [tool] up again, measured everything
    twice and drew a new plan on the back of a [paper].&[works]
broke
  The first time they tried it, a [part] broke and the whole [Craft] fell to pieces.
  It looked splendid, but it would not move at all.
  Hardly had they let go when the wind turned it over, and a [beast] ran off with one of the [part]~.
works
  The next [weekday] they carried it to [Spot]. Half the street came along. It shook, it creaked, and then it worked as if
    it had never done anything else. "Who built this?" asked a [job]. "We did," said [H] and [F] together.
  They tried [count] times more. On the last try [H] held <his> breath, [F] counted to three, and the [Craft] did exactly
    what a [Craft] should do. [A] clapped until her hands were red, or said that she had; it was too dark to see.

storm
  [sky] By [late] the wind had torn the [sign] from the [shop], and all at once every light on [Street] went out. [H] found
    [count] candles in the [cupboard]. "Mr. [Surname2] lives all alone upstairs," said <his> [Elder]. "He will be sitting
    in the dark."&So [H] took a candle and went from door to door. <He> brought back Mr. [Surname2], the [job] with her
    baby, two [job]~ and [Friend], who carried a [bird] in a cage. There were not enough chairs, so they sat on [seat]~ and
    on the floor. Somebody had brought [dish], somebody else had brought [drink].&Mr. [Surname2] told them how he had once
    [deed] near [Oldtown]. [F] sang. [H] had never known the names of half these people. When the lights came on again,
    everybody blinked, and nobody got up to leave.

school
  The new high school was [large] and [large], and on the first day [H] lost <his> way [count] times. <He> was late for
    [subject], and in [subject] <he> gave the wrong answer. At noon <he> sat alone under the stairs with a peanut butter
    sandwich.&"This is my place," said a voice. It was a <2boy> with a [color] [hat] and a [bag]. "I have been hiding here
    since [weekday]. My name is [F]." [H] moved over. [F] had [dish] and gave <him> half of it. They found out that they
    both liked [Hobby], and that they both dreaded [subject].&[A], who taught [subject], came down the stairs and saw
    them. "There is a club for [Hobby]," <3he> said. "It has no members yet." On [weekday] it had two, and by [month] it had
    [count].

train
  In [month] [H] took the train to New York, all alone for the first time. <His> grandmother would wait under the big clock
    in Grand Central Station. <He> had a [bag], a window seat and [meal] wrapped in paper. Outside, [nature]~ and [barn]~
    flew by.&Then <he> fell asleep. When <he> woke up, the train stood still and the sign outside said [Oldtown]. <He> had
    gone too far. [H] felt [sad]. "Are you lost?" asked a <2boy> on the platform. It was [F], whose father was the [job]
    there. "The next train back leaves at [hour] o'clock. You can wait with us."&They waited in the station with [drink] and
    [card]. At [hour] o'clock the conductor lifted <his> [bag] aboard and promised to keep both eyes on <him>. And under the
    big clock in Grand Central Station stood <his> grandmother. She had waited [count] hours and knitted most of a [coat].
    They walked up Fifth Avenue to Central Park and had ice cream for supper, and [H] sent [F] a picture of the
    [landmark].

concert
  [H] had played the [Music] for [count] years, but always with the door closed. Now [A] had put <his> name on the list for
    the concert in [Hall]. "I cannot do it," said [H] to [Friend]. "My fingers will turn into [goods]." "Then play
    only for me," said [F]. "Nobody else will be there, as far as you know."&[sky] The hall was full. There was the mayor,
    there was the [job] from [Street], and there were [count] cousins from [Oldtown]. [H] walked out, sat down and could not
    remember how the [piece] began. It was so quiet that <he> heard a [insect] at the window.&[plays]
plays
  Then, in the [nth] row, [F] softly began to hum. That was it. [H] lifted the [Music], closed <his> eyes and played for one
    person. When <he> opened them again, [count] hundred people were on their feet.
  So <he> played something else, something that nobody had ever written down. It had the [bird]~ of [Spot] in it, and the
    bells, and the rain. "Which composer was that?" whispered a [job]. "That was [H]," said [F].

quarrel
  [H] and [Friend] had been friends since they were [count] years old. Then they quarreled about [Matter]. "You never
    listen," shouted [H]. "You never stop talking," shouted [F]. They parted on [Street] and walked home on opposite
    sides.&[count] days passed. [H] tried [hobby] alone, but it was no fun. <He> ate [dish] alone, but it tasted of
    [material]. <He> could not even remember who had been right about [Matter]. [talk]&[sorry]
sorry
  On [weekday] <he> wrote a letter. It said only, "I am sorry. I miss you." <He> was just going to push it under the door
    when the door opened. There stood [F] with a letter in <2his> hand. It had the very same words in it.
  On [weekday] <he> took the [Thing] that [F] had always admired and went to [Spot]. [F] was already there, with <2his>
    best [keepsake] in a [bag]. They looked at each other and began to laugh. Neither would take the present, so they
    buried both under a [tree].

mystery
  Somebody was stealing from the [shop]. On [weekday] it was a [loaf], on [weekday] a [loaf] and two [fruit]~, and always
    at night, behind a locked door. "A ghost," said the [Job]. "A thief," said the [job]. [H] and [Friend] did not believe
    in ghosts. They put flour on the floor, hid behind a [barrel] with a lantern and waited.&The clock struck ten, then
    eleven, then twelve. [F] was just falling asleep when something [creaked]. [H] lifted the lantern.&[thief]
thief
  Two [color] eyes looked back. It was a raccoon, and behind it came [count] small ones, all white with flour. They had come
    through the old coal chute. The [Job] was not angry at all, but left a [plate] by the chute each night, and the shelves
    were safe.
  It was [A], in slippers, fast asleep. <3he> walked to the shelf, took a [loaf] and walked home again, and never woke.
    Nobody ever told <3him>, but from then on the door had a bell, and <3he> slept in <3his> bed.
  It was the pet [beast] of Mr. [Surname2], and it opened the lock with its teeth. "So that is why he is so fat," said Mr.
    [Surname2]. He paid for everything, and the [beast] got a new door and a better lock.

garden
  Behind [Yard] lay a patch of ground where nothing grew but [weed]. "Nothing ever will," said the [job] next door. But [H] had
    [count] seeds from [A], and [Friend] had a [tool]. In [month] they dug, they planted [plant]~ and [plant]~ in rows, and
    every [morning] they carried water.&Then the rabbits came. In one night they ate all of the [plant]~. "I could cry,"
    said [F]. [H] built a fence of [material], but they dug below it. <He> made a scarecrow with a [hat] and a [coat], but
    they sat on its shoes. [talk] At last <he> planted a row outside the fence, only for the rabbits.&After that they shared.
    By late summer there were [plant]~ as big as a [hat], and the whole street came for supper. Even the [job] next door
    asked for seeds.

saving
  In the window of the [shop] stood a [color] bicycle that cost [tens] dollars. [H] began to save. <He> carried [goods] for
    the [job], washed windows for the [job] and sold lemonade with [Friend] in front of [Spot]. By [month] <his> jar was
    nearly full.&[sky] [F] did not come to school that day. <2his> [Elder] was ill, and the family had to go to [Oldtown],
    but there was not enough money for the tickets. [H] looked at the jar for a long time. Then <he> carried it across
    the street.&[repaid]
repaid
  In [month] a crate came from [Oldtown]. In it was an old bicycle, as rusty as a [barrel]. "We found it in a barn," wrote
    [F]. "Wait until I am home." It took them [count] weeks, two [tool]~ and a can of [color] paint, and no bicycle in [Town]
    ever ran better.
  When they came back, everybody was well again, and [F] had no money and no present. But every [morning] for [count] months
    <2he> let [H] ride <2his> own bicycle to school, and ran beside it.

race
  Once a year the children of [Town] ran a race from [Spot] around the lake and back. [H] had come in second [count] times,
    always behind [Friend]. This year <he> trained every [morning]. <He> ran past the [shop], up the hill and down again, in
    rain and wind, until even the [pet]~ of [Street] stopped chasing <him>.&[sky] The mayor rang the bell. After one mile [H]
    was ahead. After two miles <he> heard a cry. [F] had slipped on the wet [leaf]~ and sat on the ground with a twisted
    ankle.&[help]
help
  [H] could see the ribbon. <He> stopped, turned around and ran back. With one arm around each other they limped along, and
    [count] runners passed them. They came in last of all, and the crowd cheered until the [bird]~ flew up from the roofs.
  "Go on!" shouted [F]. "Win it for both of us!" So [H] ran as <he> had never run before and tore the ribbon with <his>
    chest. Then <he> ran all the way back with it and tied it around the ankle of [F]. "It makes a good bandage," <he> said.

map
  [sky] In the public library, between two books about [nature]~, [H] found an old map. It showed [Spot], a [tree] and a
    small red cross, and below it was written, "[hour] steps north." <He> showed it to [Friend]. "Treasure," whispered [F].
    They borrowed a [tool] from the [job] and said that it was for [plant]~.&They counted [hour] steps and dug until their
    hands were sore. They found [trifle], [trifle] and a very angry mole. [F] sat down. "Maybe it was a joke." But [H] turned
    the map around. They had held it upside down.&[chest]
chest
  South of the [tree] the shovel struck wood. In the box lay [count] [keepsake]~ and a letter. "We were nine years old," it
    said. "Whoever finds this, add something and bury it again. [A]." They ran to ask <3him>, and <3he> blushed. Then they
    added a [Thing] and dug the hole again.
  It was a tin box, and in it was a smaller box, and in that was a note. "The treasure is the afternoon that you have just
    had." They were [sad] for as long as it takes to eat a [fruit]. Then they began to draw a map of their own.

window
  The ball flew over the [fence], and then there was a crash. It was the kitchen window of [A], of whom all the children on
    [Street] were afraid. "Run!" shouted the others. [H] ran too, as far as the [shop]. There <he> stopped. "Whoever breaks a thing must mend it," <his> [Elder] used to say. <He> went
    back with [count] dollars in <his> hand and knocked.&[A] opened the door. "So you have come for the ball," <3he> said.
    "I have come about the window," said [H]. For a while it was quiet. Then [A] went and fetched [meal]. There was a chess
    board on the table, and all the pieces stood ready. "I have not had anybody to play with since [month]," said
    [A].&That is how it began. [H] came every [weekday], and soon <he> brought [Friend], who was better at chess than both of
    them. As for the window, they put in the new glass together, and it was only a little crooked.

fog
  [sky] [H] and [Friend] rowed out on the East River in a small [color] boat to catch [fish]. They caught [trifle] and one
    [fish], and they were so busy laughing that they did not see the fog. It came like a [animalbig], soft and slow, and soon
    they could not see their own oars.&"Which way is home?" asked [F] in a [quiet] voice. Nobody answered. A horn sounded far
    away, or near. [H] put down the oars. "Listen," <he> said. "My [Elder] says that every bell in [Town] has a voice of its
    own."&They listened. There was a low bell, which was the church on [Street]. There was a thin bell, which was the bell
    of the fire station. [H] rowed until the low one was on the left and the thin one on the right. Out of the fog came
    the landing, and on it stood [A] with a lantern in <3his> hand and [drink] in a can.

snow
  In January so much snow fell on [Town] that the school was closed and the mail did not come. [H] and [Friend] built a
    snow fort with a [barrel] for a tower. "We need a flag," said [F], and took off a [color] scarf. Then they saw that the
    path of [A] was still white, without a single step on it.&"<3he> goes to the [shop] every [morning]," said [H]. They took
    two shovels and dug. They dug past the [fence] and the [sign], all the way to the door, and they knocked. [A] sat by a
    cold stove and coughed. There was no wood left.&[warm]
warm
  [H] carried wood, and [F] ran for Doctor [Surname2]. By evening the stove was red, and there was [dish] on it. "I was going
    to ask for help tomorrow," said [A]. "Always ask today," said [H].
  They broke up the tower of their fort and burned the [barrel]. They fetched blankets and [drink], and [F] read aloud about
    a warm island with [fruit]~ and [bird]~. When the snow melted, [A] gave them a real flag.

letter
  For [count] years [H] had written letters to a <2boy> in [Oldtown] whom <he> had never met. The name was [F]. They wrote
    about [hobby], about [subject] and about [Matter]. Now [F] was coming to New York, and they would meet on [weekday] at
    noon in Central Park. "I will wear a [color] [hat]," wrote [F]. The rest of the page had been wet, and the ink had
    run.&At noon [H] stood by the [sightpark]. A [job] came by in a [color] [hat]. Then came [count] schoolgirls, and every
    one of them wore a [color] [hat]. "Are you [F]?" asked [H] again and again. One o'clock came, then two. [H] felt
    [sad].&Then a [pet] ran up with a [hat] in its mouth, and behind it ran a <2boy> without one. "He always does that,"
    gasped [F]. They shook hands. At first they did not know what to say. It was easier on paper. So they bought ice cream,
    sat down on a bench and passed a sheet of paper back and forth until they both laughed so much that they had to talk.
)";

}  // namespace tied
