/** January to March. One paragraph a line, ASCII only; see ../index.ts for what this text is for. */
export const winter = `January

Clara Hartley came to New York on the second of January with two suitcases, a cold, and a potted fern that her mother refused to leave behind. The train from Ohio was four hours late. When they walked up the ramp into Grand Central at last, it was almost midnight, and the great room was so quiet that Clara could hear the wheels of her own suitcase. She looked up. Gold stars were painted on a green ceiling. In the middle of the floor stood a clock with four faces, and all four of them agreed that it was late.

"Well," said her mother. "Here we are."

"Is this the station or a church?" Clara asked.

"It is Grand Central," said her mother, "and we still need a taxi."

The taxi driver talked all the way down Fifth Avenue. He had lived in New York for thirty years, he said, and he had never seen so few people on Fifth Avenue on a dry night. He showed them the public library with its two stone lions, and then the park where the farmers sold apples in the fall. Snow lay in gray heaps along the curb. Clara had thought that New York would be bright, like the pictures, but most of the windows were dark, and behind each dark window somebody was asleep. She found that she liked the city better that way. It looked like a place where people lived.

Their new home was on the fourth floor of a brick house on East Ninth Street. It had two small bedrooms, a living room with a crooked floor, and a kitchen in which one person could cook and one person could watch. From the living room window a black fire escape went down to the yard. Her mother put the fern beside that window, sat on the larger suitcase, and laughed until she had to wipe her eyes.

"I start at the hospital on Monday," she said. "You start at the high school on Monday. We have three days to find the spoons."

They found the spoons on the second day. On the third day there was a knock at the door, and an old man stood on the mat with a loaf of bread in a paper bag. His name was Walter Bloom. He lived on the second floor, and he had lived there since before the house had an elevator, which was a joke, because the house had no elevator.

"You will hear a noise at six every morning," said Mr. Bloom. "It is me, winding the clocks. I have thirty one of them. I used to mend clocks for a living, and now I mend them because I cannot stop. If the noise wakes you, hit the pipe with a shoe."

"Did you ever mend the clock at Grand Central?" asked Clara.

Mr. Bloom looked at her for a moment as if she had said a secret word. "Once," he said. "Come down on Sunday and I will tell you about it. Bring the shoe."

On Monday Clara walked to the high school in her brown coat. It was a tall gray building between a bakery and a fire station, with nine hundred students and one working water fountain. In Ohio her high school had stood in a corn field, and everybody had known her name, her dog, and her grades. Here nobody knew anything about her. A boy with a trumpet case held the door open with his foot.

"You are new," he said.

"Is it so easy to see?"

"You waited for the light to turn green when there was no car coming," said the boy. "Nobody from New York does that. I am Sam Ortiz. I think I live downstairs from you. Your fern is dripping on our fire escape."

February

It snowed for two days in February, and on the third day the sky was so blue that the teachers gave up. Half of the high school went to Central Park with whatever would slide. There were real sleds, trays from the kitchen, the lid of a trash can, and a green door that four boys from the chess club had carried all the way up Fifth Avenue. Sam had an old sled made of wood. It had belonged to his uncle, and it had a long crack down the middle that everybody in his family called the river.

"Sit on the left bank," he told Clara. "I will take the right bank. If the river opens, let go."

They went down the hill eleven times. Central Park was full of shouting and barking and red faces. Dogs in sweaters ran after sticks and came back with the wrong sticks. A man in a business suit lay on his back on the snow and moved his arms up and down until he had made an angel, then stood up, brushed his sleeves, and walked away toward Fifth Avenue with his briefcase under his arm. By four in the afternoon the light turned gold, and the tall buildings along the edge of Central Park looked as if somebody had cut them out of paper.

Afterward they drank hot chocolate in a coffee shop on Fifth Avenue, across from the museum. Clara's feet hurt. It was the best hot chocolate in New York, Sam said, and he had tried them all. She told Sam about Ohio, about the river there, which was brown and slow and flooded the road each spring, and about her father, who had stayed behind to sell the house and had not sold it yet. Sam told her about his grandmother, Luz, who sold flowers in Grand Central, just beside the ramp to the trains. She got up at four every morning to go to the flower market, and she had not missed a day in twenty two years.

"Not even when she was sick?"

"She says flowers do not get sick days," said Sam. "Roses least of all."

On Sunday Clara went down to the second floor to hear the story of the clock. Mr. Bloom's living room was warm and dim, and nothing in it was younger than he was. There were clocks on the walls, clocks on the shelves, and clocks inside other clocks. They did not agree. Some were early and some were late, and when the hour came, it came for five whole minutes, in bells and chimes and one small wooden bird.

"People think that a clock is a machine for telling the time," said Mr. Bloom. He gave her tea in a glass. "A clock is a machine for losing time slowly. A good clock loses a second in a week. A bad clock loses a minute in a day. All my life I was paid to make the loss a little smaller. Now, the clock at Grand Central. In the winter of that year one of the four faces had stopped, the one that looks to the east. The other three were fine. Nobody could explain it. They called in a man from Boston, then a man from Chicago, and then they called me, because in all of New York I was the cheapest, and I lived close by."

"What was wrong with it?"

"A key," said Mr. Bloom. "A very small key, such as opens a jewelry box. It had fallen into the works from above, and above there is nothing but air and the painted stars. I took it out and the east face began to run. I showed the key to the station master, and he told me to keep it for luck. I still have it. I never found out what it opens."

He went to a shelf, moved a clock with a ship on it, and put the key into Clara's hand. It was no longer than her thumb nail, and there was a number on it, nineteen, in letters so small that she had to hold it up to the lamp.

That night, while the radiator knocked and the city hummed outside, Clara wrote a letter to her father. She told him about Central Park, about the cracked sled, about the high school and its one water fountain. She wrote: New York is not loud. People in New York are loud, but New York itself is always listening. She read the line again, thought that it sounded too clever, and left it in.

March

March was wet. Rain ran down Fifth Avenue as if Fifth Avenue were a river, and it filled the subway stairs and the gaps in Clara's boots. Her mother worked nights. She came home at eight in the morning with rain in her hair and stories from the hospital: a man who had swallowed a ring because he was afraid to propose, a woman who had walked all the way across New York with a broken arm and a perfect chocolate cake, a baby born in a taxi on the Brooklyn Bridge.

"On the bridge itself?" asked Clara.

"In the middle of the Brooklyn Bridge, in the left lane," said her mother. "They have called her Brooke, of course. The driver wants to be her uncle."

At the high school Clara joined the newspaper, because the newspaper had a warm room. It was called the Ninth Street Lantern. It came out each month on two sheets of yellow paper, and its editor was a thin serious girl named Priya Shah who corrected menus and bus posters with a red pen that she wore behind her ear.

"What can you do?" Priya asked.

"I can write, I can count, and I can type with all of my fingers," said Clara.

"You can have the clocks," said Priya.

"What clocks?"

"Every clock in this high school shows a different time. The one in the gym is eleven minutes fast. The one in the library stopped in the year I was born. I want to know why, and I want to know who is paid to fix them. Four hundred words by Friday."

So Clara wrote her first story for the Lantern. She walked through every floor of the high school with a notebook and a good watch that Mr. Bloom had lent her, and she wrote down thirty eight wrong times. She found a bill from a company in New Jersey that had been paid each year for a repair that nobody had ever seen. The principal read the story twice. Within a week a man came with a ladder, and the next morning, for the first time in sixteen years, all of the clocks in the building said the same thing. Three teachers complained to the high school board. They had got used to leaving early.

"That is what a newspaper is for," said Priya, and she almost smiled.

Nadia Rahman, who lived on the third floor, drove a city bus. Her route began near Washington Square, went up Madison Avenue, and came down Fifth Avenue along the wall of Central Park, four times a day. No driver in New York had done it for longer. She knew which doormen waved and which ladies carried small dogs in large bags. She knew every hole in Fifth Avenue by the sound her tires made. When the weather was bad she let Clara and Sam ride in the front seats all the way up to Harlem and all the way back, and she taught them to read the city from a bus.

"Look at the second floor, always," said Nadia. "On the ground floor there are shops, and shops tell lies. On the second floor you see the truth. A dance class. A dentist. A man who has painted the same apple for a month. New York happens on the second floor."

Clara looked. She saw a woman ironing a wedding dress, a room full of children with violins, a cat asleep between two sewing machines. At the corner of Fifth Avenue and Fifty Ninth Street she saw the first green buds in Central Park, on the low branches beside the pond. An old couple stood under one umbrella and looked at them too. The bus stopped at the light, and for as long as the light was red nobody on the whole bus said a word. Then the light turned green, and Nadia drove on, downtown, past the stone lions, past the long windows of the stores, toward Ninth Street and home.`;
