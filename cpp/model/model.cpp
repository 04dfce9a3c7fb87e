#include "model/model.h"

#include "model/direct_path_model.h"
#include "model/encoder_decoder.h"
#include "model/transformer_layout.h"
#include "model/transformer_model.h"
#include "model/transformer_parameters.h"

namespace tied {

// The only place that distinguishes the kinds of models.

ParameterTable parameter_table(const ModelConfig& config) {
  return config.kind == ModelKind::kDirectPath ? direct_path_parameter_table(config).table
                                               : transformer_parameter_table(config).table;
}

std::uint64_t workspace_extent(const ModelConfig& config, std::uint64_t max_rows) {
  switch (config.kind) {
    case ModelKind::kDirectPath:
      return direct_path_workspace_extent(config, max_rows);
    case ModelKind::kEncoderDecoder:
      return encoder_decoder_workspace_extent(config, max_rows);
    case ModelKind::kTransformer:
      break;
  }
  return TransformerLayout(config, max_rows).extent;
}

std::uint64_t model_table_bytes(const ModelConfig& config, std::uint64_t max_rows) {
  const bool transformer = config.kind == ModelKind::kTransformer;
  const std::uint64_t rows = transformer ? TransformerLayout(config, max_rows).rows : max_rows;
  return head_table_bytes(config, rows) + (config.is_masked() ? rows * sizeof(std::uint32_t) : 0);
}

template <class T>
Result<std::unique_ptr<Model<T>>> create_model(const ModelConfig& config, std::uint64_t init_seed,
                                               std::uint64_t max_rows, const HeadTokens& tokens) {
  if (Status status = validate(config); !status) return status;
  auto created = config.kind == ModelKind::kTransformer  ? TransformerModel<T>::create(config, max_rows, tokens)
                 : config.kind == ModelKind::kDirectPath ? DirectPathModel<T>::create(config, max_rows, tokens)
                                                         : create_encoder_decoder<T>(config, max_rows);
  if (!created) return created.failure();
  std::unique_ptr<Model<T>> model = std::move(created).value();
  model->parameters().initialize(init_seed);
  return model;
}

template Result<std::unique_ptr<Model<float>>> create_model(const ModelConfig&, std::uint64_t, std::uint64_t,
                                                            const HeadTokens&);
template Result<std::unique_ptr<Model<double>>> create_model(const ModelConfig&, std::uint64_t, std::uint64_t,
                                                             const HeadTokens&);

}  // namespace tied
