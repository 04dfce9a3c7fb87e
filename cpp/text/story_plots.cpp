// The plots. Each has a want, an obstacle, a turn and an end.
#include "text/story_rules.h"

namespace tied {

const char* const kStoryPlots = R"(
story
  [start]&[plot] [end]
start
  [open] [trait]
  [open] [trait] [trait]
open
  [H] was a [age] <boy> who lived in [Home] on [Street] in [Town].
  In [Town], in [Home] on [Street], there lived a [age] <boy> named [H].
  [H] lived in [Home] in [Town] with <his> [kin] and a [fur] [pet] named [Pet].
  Once there was a [age] <boy> named [H] whose [elder] kept the [shop] on [Street] in [Town].
  When [H] was [count] years old, <his> family moved from [Oldtown] to [Home] near [Spot] in [Town].
  Near [Spot] in [Town], between the [shop] and the [shop], lived a <boy> named [H].
trait
  <He> loved [hobby], [hobby] and [hobby].
  <He> was [good] and [good], but also a little [flaw].
  In <his> pockets <he> always carried [trifle], [trifle] and [trifle].
  <His> favorite color was [color], and <his> favorite food was [dish].
  <He> wanted to become a [job] or a [job] one day.
  <He> could name all the [nature]~ and all the [nature]~ in the world.
sky
  It was a [quiet] [month] [morning], and [weather].
  One [day] in [month], [weather].
  On the [nth] [day] of [month], [weather].
sight
  They passed a [job] with a [bag], two [job]~ and a [pet] asleep under a [cart].
  The window of the [shop] was full of [goods], [goods] and [goods].
  Behind the [fence] a [beast] lifted its head and looked at them.
  Somewhere a [job] was singing about [nature]~ and [nature]~.
wise
  "[saying]," said [A].
saying
  Whoever looks twice sees more|Slow feet climb high hills|Nobody learns to swim on a chair
  A good [tool] is half the work|Small keys open large doors|The river was once a drop of rain
end
  That night [H] slept as soundly as a [beast] in winter.
  From that day on, everybody on [Street] knew <his> name.
  When [H] is asked about it today, <he> only smiles and talks about the weather.
  [H] told the story to everybody on [Street], and each time it grew a little longer.
  Then they all went to the [cafe] and had [dish] and [drink].
  [H] wrote it all down in a [color] notebook, which is how we know.
  [H] walked home under the [quiet] sky, and <his> heart was light.
plots
  [lost]|[stray]|[build]|[storm]|[school]|[concert]|[quarrel]|[mystery]|[map]|[window]
townplot
  [plots]|[plots]|[plots]|[contest]|[train]|[race]

lost
  [sky] [H] was on <his> way home from the [shop] when <he> reached into <his> [Coat] and stood still. The [Thing] was
    gone. [A] had given it to <him> on <his> [nth] birthday.&<He> looked under the [seat], behind the [barrel] and inside
    the [barrel]. Then <he> met [Friend]. "Why do you look so [sad]?" asked [F]. "I have lost my [Thing]," answered [H].
    "Then we must find it," said [F]. [sight] They asked the [job] and the [job], but nobody had seen it.&[found]
found
  At last [F] pointed up into a [tree]. There sat a magpie with something bright in its beak. [H] held up [trifle], and
    when the bird opened its beak to scold, the [Thing] fell straight into <2his> [hat].
  "Have you looked in the lining?" asked [F] at last. There was the [Thing]. It had slipped through a hole in the [Coat].
  On the steps of the [shop] sat a little girl with the [Thing] in her hands. "I waited for whoever lost it," she said. [H]
    thanked her and bought her [dish].

stray
  [sky] On the steps of the [shop] sat a [thin] [Stray] with one [fur] ear. "Who are you?" asked [H]. The [Stray] only
    [blinked], but it followed <him> past the [shop] and the [shop], all the way to the front door.&"Somebody must miss it,"
    said <his> [Elder]. So [H] and [Friend] painted [count] notices and hung them up at [Spot] and at the post office.
    [count] days went by. [H] gave the [Stray] [meat] and water and called it [Name].&[owner]
owner
  One [day] there was a knock. Outside stood an old [job] with a [hat] in her hands. "That is my [Stray]," she
    said. [Name] ran to her at once. [H] swallowed hard, but the old woman smiled. "Would you and [F] come and walk with us
    on [weekday]~?" So [H] lost a [Stray] and found a friend.
  Then one night [Name] began to [howl] and would not stop. [H] woke up and smelled smoke. The fire engine came just in time.
    "Now it is ours," said <his> [Elder] in the morning, and [F] tied a [color] ribbon around its neck.
  Nobody came. In the end <his> [Elder] bought a [color] collar and put it on the table without a word. [F] read the name
    on it aloud. It said [Name].

contest
  Every [month] the people of [Town] met at the county fair, and the best [Pie] won a [color] ribbon and [count] dollars.
    "I have never baked before," [H] told [Friend]. "How hard can it be?" asked [F].&It was hard. The first [Pie] was as
    flat as a [plate]. The second one was as black as a [crow]. Into the third one [F] put salt instead of sugar. So they
    went to [A]. [wise] From <3him> they learned to [step], to [step] and to wait.&[verdict]
verdict
  On the day of the fair the mayor tasted all [count] cakes and pies, closed her eyes and tasted one again. It was theirs.
    [H] pinned the ribbon on [A], who had to sit down.
  On the way to the fair [H] tripped over a [pet], and the [Pie] landed in the grass. They ate what could be saved, right
    there, with their fingers. "Best [Pie] in the county," said [F], and it was true.
  They won the [nth] prize, which was a [bag] full of [fruit]~. [H] was [sad] for a moment. Then a [job] asked for a second
    piece, and soon the plate was empty. No other plate was.

build
  [sky] "Let us build a [Craft]," said [H] to [Friend]. They had [material], [material] and [count] [part]~, and [A] lent
    them a [tool] and a [Tool]. They worked behind the [shop] from [early] until [late], and [F] painted it [color].&[broke]
    "I give up," said [H]. <He> threw the [Tool] into the grass. [wise] [F] picked the [Tool] up again, measured everything
    twice and drew a new plan.&[works]
broke
  The first time they tried it, a [part] broke and the whole [Craft] fell to pieces.
  It looked splendid, but it would not move at all.
  Hardly had they let go when the wind turned it over, and a [beast] ran off with one of the [part]~.
works
  The next [weekday] they carried it to [Spot]. It shook, it creaked, and then it worked as if it had never done anything
    else. "Who built this?" asked a [job]. "We did," said [H] and [F] together.
  They tried [count] times more. On the last try [H] held <his> breath, [F] counted to three, and the [Craft] did exactly
    what a [Craft] should do.

storm
  [sky] By [late] the wind had torn the [sign] from the [shop], and all at once every light on [Street] went out. [H] found
    [count] candles. "[A] lives all alone and will be sitting in the dark," said <his> [Elder].&So [H] took a
    candle and went from door to door. <He> brought back [A], two [job]~ and [Friend], who carried a [bird] in a cage. They
    sat on [seat]~ and on the floor. Somebody had brought [dish], somebody else had brought [drink].&[A] told them how <3he>
    had once [deed] near [Oldtown]. [F] sang. When the lights came on again, everybody blinked, and nobody got up to leave.

school
  The new high school was [large] and [large]. On the first day [H] was late for [subject], and in [subject] <he> gave the
    wrong answer. At noon <he> sat alone under the stairs with a peanut butter sandwich.&"This is my place," said a <2boy>
    with a [color] [hat]. "I have been hiding here since [weekday]. My name is [F]." [H] moved over. [F] had [dish] and gave
    <him> half of it. They found out that they both liked [Hobby], and that they both dreaded [subject].&[A], who taught
    [subject], came down the stairs and saw them. "There is a club for [Hobby]," <3he> said. "It has no members yet." On
    [weekday] it had two, and by [month] it had [count].

train
  One [weekday] [H] took the train to New York, all alone for the first time. <His> [Elder] would wait under the big clock
    in Grand Central Station. <He> had a [Bag] and a cheese sandwich wrapped in paper. Outside, [barn]~ and [barn]~ flew
    by.&Then <he> fell asleep. When <he> woke up, the sign outside said [Stop]. <He> had gone too far. "Are you lost?" asked
    a <2boy> on the platform. It was [F], whose father was the station master. "The next train back leaves at [Hour]
    o'clock. You can wait with us."&They waited with [drink] and [card]. At [Hour] o'clock the conductor lifted the [Bag]
    aboard. And under the big clock in Grand Central Station stood <his> [Elder]. They walked up Fifth Avenue to Central
    Park and had ice cream for supper, and [H] sent [F] a picture of the [landmark].

concert
  [H] had played the [Music] for [few] years, but always with the door closed. Now [A] had put <his> name on the list for
    the concert in [Hall]. "I cannot do it," said [H] to [Friend]. "My fingers will turn into [goods]." "Then play only for
    me," said [F].&[sky] The hall was full. There was the mayor, there was the [job] from [Street], and there were [count]
    cousins from [Oldtown]. [H] sat down and could not remember how the [piece] began. It was so quiet that <he> heard a
    [insect] at the window.&[plays]
plays
  Then, in the [nth] row, [F] softly began to hum. That was it. [H] closed <his> eyes and played for one person. When <he>
    opened them again, [count] hundred people were on their feet.
  So <he> played something that nobody had ever written down. It had the [bird]~ of [Spot] in it, and the bells, and the
    rain. "Who wrote this?" whispered a [job]. "[H] did," said [F]. "Just now."

quarrel
  [H] and [Friend] had been friends since they were [few] years old. Then they quarreled about [Matter]. "You never
    listen," shouted [H]. "You never stop talking," shouted [F]. They walked home on opposite sides of [Street].&[count]
    days passed. [H] tried [hobby] alone, but it was no fun. <He> ate [dish] alone, but everything tasted of [material]. <He> could
    not even remember who had been right about [Matter]. [wise]&[sorry]
sorry
  On [weekday] <he> wrote a letter. It said only, "I am sorry." <He> was just going to push it under the door when the door
    opened. There stood [F] with a letter in <2his> hand. It had the very same words in it.
  On [weekday] <he> took the [Thing] that [F] had always admired and went to [Spot]. [F] was already there, with a [bag]
    full of [fruit]~ for <him>. They looked at each other and began to laugh.

mystery
  Somebody was stealing from the [shop]. On [day] it was a [loaf], on [day] a [loaf] and two [fruit]~, and always
    at night, behind a locked door. "A ghost," said the [job]. "A thief," said the [job]. [H] and [Friend] put flour on the
    floor, hid behind a [barrel] and waited.&The clock struck ten, then eleven, then twelve. [F] was just falling asleep
    when something [creaked]. [H] lifted the lantern.&[thief]
thief
  Two [color] eyes looked back. It was a raccoon, and behind it came [count] small ones, all white with flour. After that
    there was a [plate] of [meat] by the back door each night, and the shelves were safe.
  It was [A], in slippers, fast asleep. <3he> took a [loaf] and walked home again, and never woke. Nobody ever told <3him>.
  It was the [beast] of [A], and it opened the lock with its teeth. "So that is why he is so fat," said [A] and paid for
    everything.

race
  Once a year the children of [Town] ran a race from [Spot] around the lake and back. [H] had come in second [few] times,
    always behind [Friend]. This year <he> trained every [morning], past the [shop], up the hill and down again, until even
    the [pet]~ of [Street] stopped chasing <him>.&[sky] The mayor rang the bell. After one mile [H] was ahead. After two
    miles <he> heard a cry. [F] had slipped on a wet [plank] and sat on the ground with a twisted ankle.&[help]
help
  [H] could see the ribbon. <He> stopped, turned around and ran back. Arm in arm they limped along. They came in last of
    all, and the crowd cheered until the [bird]~ flew up from the roofs.
  "Win it for both of us!" shouted [F]. So [H] ran as <he> had never run before. Then <he> ran all the way back with the
    ribbon and tied it around the ankle of [F].

map
  [sky] In the public library, between two books about [nature]~, [H] found an old map. It showed [Spot] and a [Tree], and
    below them was written, "[Hour] steps north." "Treasure," whispered [Friend]. They borrowed a shovel from the [job],
    counted [Hour] steps and dug until their hands were sore. They found [trifle], [trifle] and a very angry mole. But then
    [H] turned the map around. They had held it upside down.&[chest]
chest
  South of the [Tree] they struck wood. In the box lay a [Thing] and a letter. "Whoever finds this, add something and bury
    it again. [A]." They ran to ask <3him>, and <3he> blushed. Then they added [trifle] and dug the hole again.
  It was a tin box, and in it was a note. "The treasure is the afternoon that you have just had." They were [sad] for as
    long as it takes to eat a [fruit]. Then they began to draw a map of their own.

window
  The ball flew over the [fence], and then there was a crash. It was the kitchen window of [A]. "Run!" shouted the others.
    [H] ran too, as far as the [shop]. There <he> stopped. <He> went back with [count] dollars in <his> hand and
    knocked.&"So you have come for the ball," said [A]. "I have come about the window," said [H]. For a while it was quiet.
    Then [A] fetched [drink] and a chess board. "I have not had anybody to play with since [month]," <3he> said.&[H] came
    every [weekday], and soon <he> brought [Friend], who was better than both of them. They put in the new glass together,
    and it was only a little crooked.
)";

}  // namespace tied
