// The words and plots of the stories: rules for text/story_engine.h.
//
// A line without indentation names a rule. Lines indented by two spaces are its alternatives; short ones share a line,
// separated by |. Lines indented by four spaces continue the alternative above, after one space. A digit after the name
// means that the rule has two alternatives, chosen by a coin of the story: 1 the hero is a girl or a boy, 2 the friend
// is, 3 the grown-up is a woman or a man, 4 the story happens in New York or in another town.
//
// In an alternative:
//   [rule]  an alternative of that rule, drawn each time; in a story, none repeats before all have occurred
//   [Rule]  with a capital, the first value drawn holds for the whole story and differs from all other such values
//   <he>    he or she for the hero, <2he> for the friend, <3he> for the grown-up; <He> with a capital;
//           also him, his and boy
//   ~       makes the word before it plural
//   &       a new paragraph
//   ^       a capital letter next; sentences and quotations get theirs automatically, and "a" becomes "an"
#pragma once

namespace tied {

extern const char* const kStoryPlots;
extern const char* const kStoryWords;

}  // namespace tied
