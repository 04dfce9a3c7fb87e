/** April to June. One paragraph a line, ASCII only; see ../index.ts for what this text is for. */
export const spring = `April

In April the ice cream truck came back to Ninth Street. It played eleven notes of a song that nobody in New York could name, and it played them from noon until dark. Mr. Bloom said that it ran four percent slow. Sam said that it was missing its last note, and that one day he would climb on the roof of the truck with his trumpet and play the note himself.

He did better than that. He got a job for Saturdays in an ice cream shop on Second Avenue, the smallest ice cream shop in New York, a narrow place with six stools and a pink machine from the old days. The owner was a large calm woman named Mrs. Pappas. She made her own ice cream in the back room from milk, sugar, eggs, and whatever was ripe, and she held strong opinions.

"There are people in New York who put cereal in ice cream," she told Sam on his first day. "There are people who put bacon. They will answer for it."

Clara came in at the end of his shift and did her homework at the last stool. She tried the lemon ice cream, the fig ice cream, and the one made of burnt sugar that tasted, she thought, like the smell of a train. In return she told Mrs. Pappas which words on the menu were spelled wrong. Priya had taught her to look.

One warm afternoon the two of them took the subway to Brooklyn and walked home over the Brooklyn Bridge. Clara had never walked over the Brooklyn Bridge before. The wooden path ran high above the cars, and the cables came down on both sides like the strings of a harp that was too large to play. Below them the East River was full of small waves and large boats. The Staten Island Ferry, fat and orange, pulled away from the end of Manhattan, and far beyond it, green and small as a chess piece, the statue held up her light.

"Brooke was born about here," said Clara.

"In the left lane," said Sam. "I know. Your mother tells everybody."

They stopped in the middle of the Brooklyn Bridge and looked at the towers. A tourist asked them to take his picture, and then he asked them where they were from.

"Ohio," said Clara.

"New York," said Sam.

The tourist looked from one to the other. "Which of you should I ask about lunch?" he said.

Clara thought about the bakery beside the high school, and the dumpling shop that Nadia liked, and the stand on Broadway where the onions were fried with vinegar. She gave him three names and two warnings, and she drew him a map on the back of his ticket. Only when he had gone did she notice that Sam was laughing.

"What?" she said.

"You pointed," said Sam. "Without looking up. You pointed to the north like somebody who was born in New York."

Her father called that evening. The house in Ohio was still not sold. A family had come to see it twice, and the mother had liked the kitchen, but the boy had asked whether the river came up to the porch, and her father was an honest man.

"It comes up to the second step," he had told them. "In a bad year, to the third."

"Dad," said Clara. "You have to look at the second floor. Tell them about the second floor."

May

On the first of May Luz Ortiz slipped on a wet leaf in the flower market and broke her wrist. It was the first day that she had missed in twenty two years. She sat in the hospital in her good green hat, with her arm in a white cast, and gave orders.

"The lilies must be cut again every morning, one inch, at an angle," she said to Sam. "The tulips want cold water. Do not put the roses by the ramp, because the wind from the trains comes up there and shakes them. And smile. People do not buy flowers. They buy the smile, and then they carry the flowers home so that they can remember it."

"I have to be at the high school at eight," said Sam.

"Grand Central opens at five thirty," said his grandmother.

In New York a good stand has a line of people waiting to take it over, so for five weeks the whole house sold flowers in Grand Central. Nadia had the first hour, before her bus. Sam and Clara had the second. Clara's mother stopped by after her night shift, still in her hospital shoes, and sold more tulips than anyone, because she looked as if she needed somebody to be kind to her. Mr. Bloom took the middle of the day. He sat on a folding chair beside the roses in a clean shirt and a black tie. He was supposed to be watching the money box, but he was watching the clock with the four faces, and every so often he took out his own watch and compared.

"Well?" Clara asked him.

"The east face is two seconds behind the others," said Mr. Bloom. "It was two seconds behind in the year that I mended it. I like to see that a thing has kept its character."

From behind the flower stand in Grand Central Clara learned to see how a crowd moves. At first the morning people in Grand Central looked to her like water, all of them pouring the same way. After a week they were persons. There was the tall woman who ran for the same train each day and caught it each day by the same three steps. There was the man who bought one white rose every Tuesday and never said for whom. There were the high school students from Long Island with their instruments, the cooks with their knives rolled in cloth, the guards, the sweepers, the bride who came down the ramp in tears and went back up it laughing, the two boys from another high school who had cut a class and jumped at the sight of a guard. When the room was most crowded nobody ever touched anybody else. A thousand people crossed a floor in a thousand directions, and each of them made way by half a step.

Clara wrote about it for the Lantern. Priya took out every adjective, then put one back.

"Tell me about the man with the white rose," said Priya.

"I do not know anything about him."

"Then ask him."

"It is not my business, Priya."

"You are holding a notebook," said Priya. "It is exactly your business. But be polite, and if he says no, thank him and sell him the rose."

On the next Tuesday Clara asked. The man was silent for so long that she was sorry she had opened her mouth. Then he said that forty years ago he had met a girl in this room, under the clock, by mistake. She had been waiting for somebody else. They had talked until both of them had missed their trains. They had been married for thirty six years, and since last March he had been alone, and every Tuesday he left a white rose for her on the step below the east stairs, because that was the place, and Tuesday was the day.

"You may write it down," he said. "Only please do not use my name. Half of New York takes this train."

In the evening Sam practiced his trumpet on the fire escape, quietly, with a sock in the bell. He was learning a slow tune for the spring concert of the high school. It floated down through the black iron steps, past Nadia's window and past the clocks, into the yard where somebody had planted beans in a bathtub. When he came to the end he always played one note more, very high and soft. It took Clara three evenings to understand what it was. It was the last note of the ice cream truck.

June

The concert was on the tenth of June, in the gym, under the clock that was no longer eleven minutes fast. It was so hot that the paper programs turned into fans. Mrs. Keane, who taught music, conducted with a pencil because she had lost her baton in Penn Station. First came the chorus, then the strings, and then Sam walked to the front with his trumpet and no sock.

Clara had heard the tune a hundred times through a floor. She had not known that it was sad. It went up like somebody climbing the stairs in an empty house and looking into each of the rooms, and at the top it waited, and then it came down. Luz sat in the front row with her wrist still wrapped and her green hat on her knees. She did not move at all. When it was over she said, loudly, to nobody, "That is my grandson," and the whole gym stood up.

Afterward Mrs. Keane brought a stranger over to Sam. He had a white beard and a shirt with parrots on it. He had played in every club in New York, he said, and most of them had closed, and he hoped that it was not his fault. He had a band near Times Square now, and he taught on Saturdays at the music school on the west side, and he wanted to know what Sam was doing with his Saturdays.

"I sell ice cream," said Sam.

"There is no shame in that," said the man with the parrots. "Could you sell it on Sundays?"

Mrs. Pappas thought about it for one whole day. In the end she said that she had once had the chance to sing in the opera in Athens, and that her aunt had needed her in the bakery, and that nobody had ever been harmed by ice cream on a Sunday. So on Saturdays Sam went uptown with his trumpet, and on Sundays he wore the pink apron.

The last day of classes was a day of open windows. All along the street the noise of the city came into the rooms: a drill, a siren, a woman calling a child named Oscar again and again. In the last hour the principal read out the prizes over a speaker that buzzed. The prize for the newspaper went to the story about the man with the white rose. Priya shook Clara's hand in front of everybody, like a general.

"It had one adjective too many," she said. "I let it stand."

Then they were free. They ran down the steps of the high school, nine hundred of them, and the water fountain ran all by itself behind them, because somebody had finally mended the second one and nobody had remembered to turn it off. Clara, Sam, and Priya walked all the way up Fifth Avenue, since they had nowhere to be. They walked past Washington Square, where old men were playing chess, and past Union Square, where a girl was painting the old men. They looked at the shoes in the windows on Fifth Avenue that cost as much as a car. They rested on the steps of the public library between the lions, and shared one bag of cherries, and spat the stones into a cup.

"In Ohio," said Clara, "on the last day we would all jump into the river."

"In New York you would come out a different color," said Priya.

"Still," said Sam, "there is a lake in Central Park. There are boats."

There were boats. They rented one for an hour and rowed it badly, in circles, under the willows and under the iron bridge, while turtles looked at them from a log. Priya lost her red pen in the water. For a long minute the three of them watched the spot where it had gone down. Then Priya put her hand behind her ear, as if to make sure, and said that from now on the people who painted signs in New York could do as they pleased, at least until September.`;
