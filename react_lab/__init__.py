"""react_lab: take apart the ReAct paper (Yao et al., ICLR 2023)."""
