/** July to September. One paragraph a line, ASCII only; see ../index.ts for what this text is for. */
export const summer = `July

By July the heat stood in the streets like a person who would not leave. The brick house on Ninth Street held it all night and gave it back in the morning. Clara slept beside the window with her feet on the fire escape. Everyone in New York who could go away had gone away, to Long Island, to the mountains, to an aunt with a porch, and the city belonged to those who were left. They knew each other by sight. They nodded, as people nod on a ship.

On the Fourth of July the whole house went to Coney Island. Nadia had the day off, and she said that on her day off she would not look at a bus, so they took the train, eleven people with towels and a watermelon. Mr. Bloom wore a straw hat and his black tie. The train came out of the ground in Brooklyn and rode along above the roofs, past water tanks and pigeons and washing, and then, between two tall buildings, Clara saw a thin blue line that was the sea.

She had never stood in the sea. She stood in it now up to her knees, next to Luz, who held up her skirt with one hand and with the other hand, the one that had been broken, slapped the waves on the head as they came in.

"When I was your age," said Luz, "I lived on an island that was all beach, and I never once thought that it was beautiful. It was only where we kept the boats. Then I came to New York, and for a year I lived on a street without a tree. Then I saw that it had been beautiful. That is how it works, child. You have to leave a place to look at it."

They ate hot dogs and corn. Sam and Priya rode the big wooden wheel, and Priya, who was afraid of nothing in New York, was sick behind a ticket booth. When it got dark the fireworks went up from a boat, red and white and gold, and each one was followed by its own sound, one second late. Mr. Bloom counted under his breath.

"How far away is the boat, Clara?" he asked.

"You want me to say about eleven hundred feet," said Clara.

"I want you to say about eleven hundred feet," said Mr. Bloom happily. "Light first, sound after. The whole world is a clock, if you listen."

Clara had a job too. Three mornings a week she read the mail at the office of a small newspaper near Union Square, a real one, which came out every day in print and paid her in cash. The editor, Mr. Dunn, had read her story about the rose. He gave her a desk with a short leg, and he gave her the letters that nobody else wished to open. People from all over New York wrote in about potholes, about noise, about a bird they had seen in Central Park that could not possibly have been there. An old lady on Staten Island wrote each day about the same ferry, which was late.

"Is she right?" asked Clara.

Mr. Dunn looked up over his glasses. "Nobody has ever asked that," he said. "Take the ferry and find out."

So she took it. The Staten Island Ferry was free and it ran all day and all night. For one week Clara rode it at the same hours as the old lady, with Mr. Bloom's good watch in her hand, out past the statue and back again. The wind smelled of salt and paint. New York grew small behind the boat and then large in front of it, five times a day, and it was never the same New York, because the light kept changing its mind. She wrote down every departure. The old lady was right. The boat at ten past four was late each day by between six and nine minutes, since the crew changed at four and the new crew had to walk from a parking lot that had been moved. Mr. Dunn printed it on page nine. In August the parking lot was moved back, and on the first day that the boat left on time an envelope came for Clara with a pressed flower in it and no letter at all.

August

The lights went out on a Wednesday in August, at nine minutes past four in the afternoon. Clara was on the stairs of the subway. She heard the fans stop, then the music in the shop above, then the train below, and last of all a hum that she had never noticed, because it had always been there. For a moment New York was as quiet as a field. Then everybody began to talk.

Nadia's bus was the only thing moving on Fifth Avenue. The traffic lights were dark, and at every corner somebody had stepped into the road and begun to wave the cars through: a cook in a white hat, a lawyer, a high school girl with a whistle. New York had become a village in which everyone was the mayor. Nadia took on as many people as the bus would hold, and then some more. She did not ask for tickets. She drove the length of Fifth Avenue at the speed of a walk with the doors open, and at each stop the people inside reached out and pulled the others up.

"Where does this bus go?" asked a man in a beautiful suit, with his shoes in his hand.

"It goes home," said Nadia.

Clara walked. She walked with the crowd, down the middle of the street, and nobody was in a hurry, because there was nothing to be in a hurry for. At Grand Central the doors stood open, and the big room was lit by the windows alone, with long bars of dusty sun. The four faces of the clock had stopped together, at nine minutes past four. Clara stood below them and felt uneasy, as if somebody that she knew had fainted. Luz was giving her flowers away.

"They will not last in this heat," said Luz. "Better that they go with people. Take lilies, take lilies. No, no money, my dear. You can smile."

On Second Avenue a line of two hundred people stood before the shop of Mrs. Pappas. Without power the ice cream was going to melt, all of it, forty tubs, and Mrs. Pappas had said that no ice cream of hers would ever be poured down a drain. Sam stood on a box in his pink apron with a scoop in each hand. Lemon, fig, burnt sugar, mint, plum. Children held out bowls, and firemen held out helmets. As it grew softer and softer he stopped asking which kind they wanted. The last of the ice cream, at eight o'clock, was the color of the evening, and nobody could say what was in it, and those who got some said that it was the best ice cream of their lives.

That night the house on Ninth Street sat on its front steps. There were candles in jars. There were stars. Clara's mother was at the hospital, where they had their own power, and would not be back until morning, but everyone else was there, and people from other houses whom they had never met. A man brought out a drum. Sam played the slow tune, and then the quick ones. Mr. Bloom carried a chair down, and a small clock with a key in its back that needed no power at all, and at every hour it rang, and at every hour the whole street cheered.

"I have lived in New York for eighty two years," said Mr. Bloom to Clara, near midnight, "and I have seen it go dark three times. The first time, I was a boy, and I was afraid. The second time I was a young man, and I was busy. Now I have time. Look up."

She looked up. Above the black roofs, between the water tanks, ran a pale band of light that she knew from the fields of Ohio. She had thought that it did not come as far as New York.

In the morning the power came back, first in the Bronx, then in Queens, then block by block down Fifth Avenue. The fans turned. The hum began. In Grand Central a man climbed a ladder and set the clock. Mr. Bloom went to see it done, stood there for a quarter of an hour with his watch, and came home shaking his head and smiling. The east face was two seconds behind.

September

In September the air turned clear, and the shadows had edges. The high school opened its doors. There were two working water fountains now, and there was a new sign over the gate with the apostrophe in the right place, for which nobody would admit to be responsible. Priya had bought a new red pen.

Clara was no longer new. She held the door open with her foot for a boy who had come from Texas the week before and stood on the curb waiting for the light. "Go," she told him. "There is no car." He went. He looked as if he had robbed a bank.

Her father came to visit for the first time. Clara and her mother met him under the clock in Grand Central. He had a haircut and a new jacket, and he carried a jar of river water, because Clara had asked for it in a letter as a joke. For three days she showed him New York, and on the third day she noticed that she had been calling it home. She showed him the lions, the buds that were now leaves and the leaves that were starting to turn in Central Park, the high school with its two fountains, the stool in the ice cream shop, the desk with the short leg. They took the ferry to Staten Island and did not get off. They walked over the Brooklyn Bridge from the Brooklyn side, which is the right side to walk from, because the whole of New York stands up in front of you as you come.

"You talk faster," said her father, in the middle of the bridge.

"Do I?"

"And you walk faster. I have been trying to look at that boat for a while now."

They stopped. He leaned on the rail and looked at the boat. He was a slow man, a man for a river. He told her that the house had been sold at last, to the family with the boy. The second floor had done it. He told her too that he had been offered a job in a school on Long Island, teaching shop, starting in January, and that he had not yet told her mother, since he did not know whether he was wanted.

Clara held the rail with both hands. A tug went under them, pushing a barge full of sand.

"Ask her," said Clara. "But be polite, and if she says no, thank her and buy her a rose."

Her father laughed so hard that a tourist turned around. That evening he asked. Clara sat one floor below, on the fire escape outside of Nadia's kitchen, with her hands over her ears, next to Sam, who was listening as hard as he could. They heard a long murmur. They heard a chair move. Then they heard her mother laugh until she surely had to wipe her eyes.

"Well?" said Clara.

"I do not know what he said," Sam told her, "but I think you should start looking for more spoons."

On the last Sunday of the month a street fair filled Fifth Avenue near Madison Square from curb to curb. There were carpets and honey and socks. Mr. Bloom had a table between a man who sold old records and a woman who read palms. He had decided to sell ten of his clocks, so that he could walk across his own living room. By noon he had sold none, because he told each customer the truth about each clock. "This one loses a minute a day," he would say. "This one was owned by a man who hated his brother." But around three o'clock a girl of seven bought the small one that rang in the blackout, for four dollars and a drawing of a horse, and he wrapped it up for her as if it had been the crown of a queen.

The woman who read palms had been watching him. She asked about the little key on his watch chain, and he told her the story: the clock, the east face, the painted stars. She turned the key over in her fingers and held it to the sun.

"Nineteen," she said. "This is not for a jewelry box. I worked in Grand Central when I was a girl, in the coat check. This is for one of the old lockers. The small ones, for hats."`;
