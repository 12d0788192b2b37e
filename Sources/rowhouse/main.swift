print("rowhouse")
