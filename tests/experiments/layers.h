// What each layer of a trained transformer contributes: the verb `ablateLayers`.
#pragma once

#include "readouts.h"

namespace tied::experiments {

// What leaving out a layer adds to the loss over all validation tokens, and its standard error over predictions.
Status measure_layers(Trainer<float>& trainer, const Split& split, const Print& print);

}  // namespace tied::experiments
