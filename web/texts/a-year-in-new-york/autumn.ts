/** October to December. One paragraph a line, ASCII only; see ../index.ts for what this text is for. */
export const autumn = `October

There were no lockers in Grand Central any more. Clara asked at the information desk, below the four faces of the clock, and the guard told her that they had been taken out before he was born. She asked at the lost and found. She asked the sweepers, who know everything. At last an old porter named Mr. Teller, who came in on Thursdays only to see his friends, scratched his chin and said that a wall of the small ones had never been taken out at all. It had been covered. When they built the new ticket machines they had put up a white panel, and behind the panel, as far as he knew, the hat lockers of Grand Central were still there, with whatever hats were in them.

"It is a story," said Priya. "It is the best story in New York, and you cannot write it until you have seen behind that panel."

Clara wrote a letter to the railroad. The railroad wrote back that her request was important. She wrote a second letter, and the railroad wrote back that her request was important. Then she told Mr. Dunn, and Mr. Dunn picked up his telephone, leaned back, and talked for a while about baseball with somebody whom he called Frankie. After that he told her to come to Grand Central on the last Friday of the month, at two in the morning, with her mother and a sweater.

In the meantime there was the race. Sam had joined the cross country team of the high school by accident. He had run after the bus one morning with his trumpet in his hand, and the coach had been on the bus. Each Saturday in October, when his lesson was over, the team ran in Central Park, down past the boat pond, around the long meadow, and up the hill where they had once gone sledding on the cracked sled. The leaves were yellow and red, and they came down with a dry sound on the runners and on the people who had come to watch. Luz brought a bell from the flower stand. Nadia brought her horn, an old one from a bus, with a rubber ball.

Sam was not fast. But he had good lungs, from the trumpet, and on the last hill, where the fast ones slowed down, he did not slow down. Runners had come from every high school in New York. In the first race he came in sixtieth. In the second he came in forty first. In the last one, on a cold bright day, with half of Ninth Street shouting along the wall of Central Park, he came in nineteenth.

"Nineteen," said Mr. Bloom, and he felt for his watch chain. "Now that is a number."

On the last Friday they went up Fifth Avenue at one o'clock at night in Nadia's own car, all of them, six people in five seats. It was raining a little, as it does in New York when nobody is looking. Fifth Avenue was wet and black, the lights lay on it in long strips of red and green, and they did not meet a single other car from Washington Square to the stone lions. Clara thought of the night in January when she had come the other way. She had not known one person in New York then. Now she could not even get her arms free.

The big room was empty, but for two men with a machine that polished the floor. Frankie turned out to be a woman, the head of all the carpenters of the railroad, with a drill in her belt. She took out eight screws. She and her helper lifted down the white panel as gently as if there were somebody asleep behind it.

There they were: five rows of little brass doors, dull with dust, forty in all, each one with a number. Mr. Bloom took off his hat. He had to bend down for number nineteen. The key went in. For a moment it did not turn, and then it turned, with a small sound such as a good clock makes just before it strikes.

November

In the locker there was a hat. It was a gray felt hat with a blue band, hardly worn, of a kind that had been in fashion when Mr. Bloom was a young man. Inside the band was a ticket for a train to Albany that had left New York sixty one years ago, and on the back of the ticket somebody had written in pencil: Wait for me. I had to go up and fix the light.

That was all. There was no name. Clara turned the ticket over and over under the lamp. Frankie said that in the old days there had been a walkway above the ceiling, between the painted stars and the roof, and that men used to go up there to change the bulbs in the stars. One of them must have leaned over the small window at the top of the clock. One of them must have had a hole in his pocket.

"So he came down," said Priya, "and he did not have his key, and he could not get his hat."

"And he missed his train," said Sam.

"Or he caught his train without a hat," said Mr. Bloom. "Let us hope so. Somebody was waiting."

Clara's story took her two weeks. She talked to Mr. Teller and to eleven other people who had worked in Grand Central. She found a list of the men who had changed the bulbs, with their wages, in the public library on Fifth Avenue, in a box that had not been opened since it was closed. There were four names on the list. Three of the men had died in New York. The fourth, Henry Marsh, had moved to Albany that very spring and had been married there in May. He had kept a shop for lamps. He had two daughters, and one of them, when Clara called her on the telephone, was silent for a time, and then asked in a small voice whether the hat had a blue band.

The story was printed on the front page of Mr. Dunn's newspaper on the Sunday before Thanksgiving, with a picture of the hat. All over New York people read it in coffee shops and on trains. On Monday somebody read it aloud on the radio. On Tuesday the man with the white rose stood before the flower stand in Grand Central for longer than was needed. "It was a good piece," he told Luz. "You may tell the young lady that I said so." And he bought two roses instead of one, a white one for the east stairs and a red one for the door of number nineteen.

The daughter of Henry Marsh came down from Albany on the day of the parade. She was sixty, small, and quick, and she wore the gray hat out of the station as if it had been made for her. The house on Ninth Street had invited her to dinner. But first they all went to see the balloons. They stood on the west side of Central Park, ten deep, in the cold, while a dog as tall as a house came around the corner, and after him a bear, a rocket, and a blue bird held down by sixty people with ropes. The wind took hold of the bird and pulled it toward Fifth Avenue, and the sixty people leaned back all together and laughed, and it thought better of it.

There were nineteen people at dinner. Nobody had planned it. The tables went from Nadia's kitchen through the door and across the landing to the living room on the other side. Mrs. Pappas brought ice cream made of pumpkin, though it was against her principles. Clara's father had come from Ohio with the last of the boxes, and he cut the bread. Some of the high school team were there, three of them, eating like six. Clara's mother came in her hospital shoes, late, with news of twins.

"On the Brooklyn Bridge?" asked everybody at once.

"In a bed," said her mother, and sat down. "It was wonderful. It was so easy. I hardly knew what to do with my hands."

Mr. Bloom stood up with his glass. He was not a man for speeches, he said, but he had never seen so much of New York in one room. For sixty years he had carried a key because a station master had told him that it was lucky. He had never asked lucky for whom. It had gone on being lucky, a little at a time, for one person after another, and tonight he counted nineteen of them. He thought that this was a fair rate for a key of that size. Then all of the clocks on the second floor began to strike eight, and it took five minutes, and nobody said a word until they were done.

December

On the first of December a tree was put up on Washington Square, and another one before the high school, and a third, the largest in New York, on the plaza off Fifth Avenue where people skate. The stores on Fifth Avenue had filled their windows with paper snow, moving bears, and small trains that ran in and out of small tunnels. Clara took the bus uptown, in the front seat, behind Nadia, and looked at the second floor. The man who painted apples had begun to paint a pear.

She had a great deal to write about the high school. The Lantern now came out on four sheets, in white, since the railroad had sent the high school a present of paper. Priya would go to college in the fall, and she had told Clara, without looking up, that somebody would have to carry the red pen.

"I would take out too few adjectives," said Clara.

"You would learn," said Priya. "You have learned most things. You used to wait for the green light."

Her father moved to New York in the second week, with one suitcase and the jar, which was empty. He had poured it into the East River from the middle of the Brooklyn Bridge, he said, so that the two of them could get to know each other. He built a shelf for the fern. He made the crooked floor of the living room straight, and then, because all of them missed it, he made one corner of it crooked again.

The concert was Frankie's idea. Each year before the holidays the railroad had somebody sing in Grand Central at the hour when most people go home, and this year, she said, it ought to be somebody who had earned it. So on the twentieth of December the whole music department of the high school stood on the east stairs with their scarves on. There was Mrs. Keane with her pencil. There was the man with the parrots, in a coat with parrots on it. Ten thousand people went through Grand Central in that hour. At first they went by as they always did, each of them making way by half a step, and then, here and there, somebody stopped.

Clara stood with her notebook beside the clock. From there she could see everyone. Luz was behind the flowers with two good hands. Mrs. Pappas sang along with the chorus in a voice that belonged in the opera in Athens, and people turned their heads to find out where it came from. Nadia had left her bus at the terminal and still wore her gloves. The daughter of Henry Marsh had come down to New York on the train again, in the hat. Next to her, on a folding chair, in his black tie, Mr. Bloom was looking up, not at the clock but past it, at the green ceiling and the gold stars, where the bulbs were.

Last of all Sam came forward. He played the slow tune, the one that climbed the stairs of an empty house and looked into each of the rooms. In the gym it had been sad. Here, under that ceiling, with the trains moving down below and a thousand people standing still, it did not sound sad at all. It sounded like somebody who comes home late and finds that they have left a light on for him. It went up, and it waited, and it came down. And then, very high and soft, he played one note more.

Nobody in the big room could have said what it was. But Clara laughed out loud, and on the other side of the clock an old lady in a blue coat whom she had never met before, and who had, though Clara did not know it, come all the way from Staten Island on the ten past four, laughed as well.

Afterward they walked home together down Fifth Avenue, eleven people and a trumpet. It had begun to snow. They passed the lions, who had wreaths around their necks. They passed Madison Square, where the fair had been, and Union Square, where a girl was painting the snow before it could melt. At the corner of Ninth Street a young man was standing on the curb with a suitcase in each hand. He was looking at a map that had gone soft in the wet. The light was red. There was no car coming from either side, and he waited.

"You are new," said Clara.

"I came in on the train an hour ago," said the young man. "Is it so easy to see?"

"Only to somebody from New York," said Clara Hartley, and she took one of his suitcases, and looked to the left and to the right, and showed him how it was done.`;
