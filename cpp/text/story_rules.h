// The words and plots of the stories: rules for text/story_engine.h.
//
// A line without indentation names a rule. Lines indented by two spaces are its alternatives; short ones share a line
// and are parted by |. Lines indented by four spaces go on with the alternative above, after one space. A digit after
// the name says that the rule has two alternatives and which coin of the story takes one of them: 1 the hero is a girl
// or a boy, 2 the friend is, 3 the grown-up is a woman or a man, 4 it happens in New York or in another town.
//
// In an alternative:
//   [rule]  an alternative of that rule, drawn anew each time; in a story none comes twice before all have come
//   [Rule]  where the name begins with a capital, the first one drawn holds for the whole story, and differs from all
//           other such values of it
//   <he>    he or she, as the hero is; <2he> as the friend is, <3he> as the grown-up is; <He> with a capital; also him,
//   his
//           and boy
//   ~       makes the word before it plural
//   &       a new paragraph
//   ^       a capital letter next. Sentences and quotations get theirs by themselves, and "a" becomes "an" where it
//   must
#pragma once

namespace tied {

extern const char* const kStoryPlots;
extern const char* const kStoryWords;

}  // namespace tied
