// What each layer of a trained transformer is worth: the verb `ablateLayers`.
#pragma once

#include "readouts.h"

namespace tied::experiments {

// What leaving out a layer adds to the loss of all validation tokens, and the standard error of that over predictions.
Status measure_layers(Trainer<float>& trainer, const Split& split, const Print& print);

}  // namespace tied::experiments
